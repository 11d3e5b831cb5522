package dev.arenakit;

import dev.arenakit.testing.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// A stack that overflows between any two steps of a change, in interpreted code and in the code of both compilers.
@Tag("full")
class StructureOverflowTest {
    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=0.1"})
    void change_whenTheStackOverflows_isMadeOrNotOrMakesTheStructureThrow(String mode) {
        run("StructureOverflowSession", mode, "1", mode.equals("-Xint") ? "1" : "100");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=0.1"})
    void message_whenTheStackOverflows_isSentOrNotAndIsRead(String mode) {
        run("concurrent.RingOverflowSession", mode, mode.equals("-Xint") ? "10" : "5000");
    }

    /// The stack rarely overflows between two certain calls.
    @ParameterizedTest
    @ValueSource(strings = {"StructureOverflowSession", "CacheFaultsSession"})
    void change_whenAnyCallThrows_isMadeOrNotOrMakesTheStructureThrow(String session) {
        run("CallFaults", "-XX:TieredStopAtLevel=1", collectionClass(session).getName());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:+TieredCompilation"})
    @Tag("slow")
    void change_whenTheStackOverflowsOften_isMadeOrNotOrMakesTheStructureThrow(String mode) {
        run("StructureOverflowSession", mode, "40", "2000");
    }

    private static void run(String session, String mode, String... arguments) {
        // Without the stack traces, an overflow takes much less time.
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED", ChildJvm.OPTIMIZING, mode, "-Xss256k",
                "-XX:-StackTraceInThrowable")
                .run(collectionClass(session), arguments)).isEqualTo(new ChildJvm.Result(0, "no wrong answer\n"));
    }

    private static Class<?> collectionClass(String name) {
        try {
            return Class.forName("dev.arenakit.collection." + name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
