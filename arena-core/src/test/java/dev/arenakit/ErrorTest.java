package dev.arenakit;

import dev.arenakit.ErrorSession.Kind;
import dev.arenakit.testing.ChildJvm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// A stack or a heap that is exhausted in the middle of an operation: no memory is given twice, and none is freed that
/// is in use. Compiled code fails at other places than interpreted code.
class ErrorTest {
    /// The compiler of the JVM.
    enum Compiler {
        NONE, C1, C2;

        private List<String> flags() {
            return switch (this) {
                case NONE -> List.of("-Xint");
                case C1 -> List.of("-XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=0.01", "-Xbatch");
                case C2 -> List.of(ChildJvm.OPTIMIZING, "-XX:-TieredCompilation", "-XX:CompileThresholdScaling=0.1",
                        "-Xbatch");
            };
        }

        /// How often code is run before: until it is compiled.
        private int runsBefore() {
            return switch (this) {
                case NONE -> 1;
                case C1 -> 30;
                case C2 -> 150;
            };
        }
    }

    @Test
    @Tag("full")
    void anyOperation_atSomeDepthsOfTheInterpretersStack_givesNoMemoryTwice() {
        runNearTheEndOfTheStack(Compiler.NONE, 60, Kind.values());
    }

    /// The steps of a confined arena are few instructions apart.
    @Test
    void anyOperationOfAConfinedSlabArena_atManyDepthsOfTheInterpretersStack_givesNoMemoryTwice() {
        runNearTheEndOfTheStack(Compiler.NONE, 8, Kind.SLAB, Kind.FRAME);
    }

    @Test
    @Tag("full")
    void anyOperation_atSomeDepthsOfTheStackOfC1_givesNoMemoryTwice() {
        runNearTheEndOfTheStack(Compiler.C1, 12, Kind.SLAB_SHARED, Kind.CHECKED, Kind.OFFSET);
    }

    @Test
    @Tag("full")
    void anyOperation_atSomeDepthsOfTheStackOfC2_givesNoMemoryTwice() {
        runNearTheEndOfTheStack(Compiler.C2, 12, Kind.SLAB, Kind.MALLOC);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void anyOperation_atEachDepthOfTheStack_givesNoMemoryTwice(Compiler compiler) {
        runNearTheEndOfTheStack(compiler, 1, Kind.values());
    }

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void anyOperation_inAFullHeap_givesNoMemoryTwice(Compiler compiler) {
        // Without buffers of threads, no object fits into the heap that the session has filled.
        run(compiler, List.of("heap", "10"), Kind.values(), "-Xms8m", "-Xmx8m", "-XX:+UseSerialGC", "-XX:-UseTLAB");
    }

    private static void runNearTheEndOfTheStack(Compiler compiler, int distance, Kind... kinds) {
        run(compiler, List.of("stack", Integer.toString(distance)), kinds, "-Xss256k");
    }

    private static void run(Compiler compiler, List<String> what, Kind[] kinds, String... flags) {
        List<String> options = new ArrayList<>(compiler.flags());
        options.addAll(List.of(flags));
        options.add("--enable-native-access=ALL-UNNAMED");
        List<String> arguments = new ArrayList<>(what);
        arguments.add(Integer.toString(compiler.runsBefore()));
        Arrays.stream(kinds).map(Kind::name).forEach(arguments::add);
        // Watched arenas whose close was interrupted are reported in the log before.
        assertThat(ChildJvm.onClassPath(options.toArray(String[]::new))
                .run(ErrorSession.class, arguments.toArray(String[]::new)))
                .satisfies(result -> assertThat(result.output()).endsWith("nothing twice\n"))
                .returns(0, ChildJvm.Result::exitCode);
    }
}
