package dev.arenakit;

import dev.arenakit.testing.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Arenas that are closed, and blocks that are freed or resized, while the heap is exhausted.
class ExhaustedHeapTest {
    /// The first release of a process: nothing may be linked or loaded after the scope has ended.
    @ParameterizedTest
    @EnumSource(names = {"SLAB", "SLAB_SHARED", "FREE_LISTS", "MALLOC", "CHECKED_SHARED"})
    void firstRelease_withoutHeapMemory_losesNothing(ExhaustedHeapSession.Kind kind) {
        releaseWithoutHeap(kind, 1, "-Xint");
    }

    /// The JVM compiles a method handle anew after 127 calls, for which it needs heap memory.
    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void anyRelease_inInterpretedCode_losesNothing(ExhaustedHeapSession.Kind kind) {
        releaseWithoutHeap(kind, 300, "-Xint");
    }

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void anyRelease_inCompiledCode_losesNothing(ExhaustedHeapSession.Kind kind) {
        releaseWithoutHeap(kind, 300, "-Xmixed");
    }

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void firstRelease_ofEachKind_losesNothing(ExhaustedHeapSession.Kind kind) {
        releaseWithoutHeap(kind, 1, "-Xint");
    }

    private static void releaseWithoutHeap(ExhaustedHeapSession.Kind kind, int rounds, String mode) {
        // Without buffers of threads, no object fits into the heap that the session has filled.
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED", mode, "-Xms8m", "-Xmx8m",
                "-XX:+UseSerialGC", "-XX:-UseTLAB")
                .run(ExhaustedHeapSession.class, kind.name(), Integer.toString(rounds)))
                .isEqualTo(new ChildJvm.Result(0, "nothing lost\n"));
    }
}
