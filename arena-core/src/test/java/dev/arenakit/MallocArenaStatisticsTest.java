package dev.arenakit;

import dev.arenakit.diagnostics.LeakDetection;
import dev.arenakit.testing.Threads;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/// The statistics and the texts of a malloc arena. [MallocArenaModelTest] compares the statistics with a model.
class MallocArenaStatisticsTest {

    @Test
    void toString_always_isOneSentence() {
        MallocArena arena = MallocArena.ofConfined();
        arena.allocate(1000, 1);
        arena.allocate(1048, 16);
        assertThat(arena).hasToString("MallocArena: 2 live blocks, 2 KiB live, 2.0 KiB native");
        arena.free(arena.allocate(1));
        assertThat(arena).hasToString("MallocArena: 2 live blocks, 2 KiB live, 2.3 KiB native");
        assertThat(Threads.thrownBy(() -> assertThat(arena.toString()).startsWith("MallocArena: Confined arena")))
                .isNull();
        arena.close();
        assertThat(arena).hasToString("MallocArena: Already closed");
    }

    @ParameterizedTest
    @EnumSource
    void stats_afterClose_isIllegalState(MallocKind kind) {
        MallocArena arena = kind.open(NativeAllocator.libc());
        arena.allocate(8);
        assertThat(arena.stats().liveBlocks()).isEqualTo(1);
        arena.close();
        assertThatIllegalStateException().isThrownBy(arena::stats);
        assertThat(arena).hasToString("MallocArena: Already closed");
    }

    @Test
    void free_aBlockOfACheckedArenaAgain_saysThatItWasFreedAndItsSize() {
        try (MallocArena arena = MallocArena.builder().checked().build()) {
            MemorySegment block = arena.allocate(100);
            arena.free(block);
            assertThatIllegalArgumentException().isThrownBy(() -> arena.free(block))
                    .withMessage("Not a live block of this arena, because it was freed: address=0x"
                            + Long.toHexString(block.address())
                            + ", byteSize=100; pass a segment exactly as allocate returned it, and only once");
        }
    }

    @Test
    void free_aBlockOfAWatchedCheckedArenaAgain_hasTheStackOfTheFirstCall() {
        try (MallocArena arena = MallocArena.builder().checked().leakDetection(LeakDetection.ALL).build()) {
            MemorySegment freed = arena.allocate(100);
            arena.free(freed);
            assertThatIllegalArgumentException().isThrownBy(() -> arena.free(freed))
                    .withMessageStartingWith("Not a live block of this arena, because it was freed: address=0x")
                    .havingCause()
                    .withMessage("Block was freed by thread " + Thread.currentThread().getName())
                    .withStackTraceContaining("free_aBlockOfAWatchedCheckedArenaAgain_hasTheStackOfTheFirstCall(");
            MemorySegment resized = arena.allocate(100);
            arena.reallocate(resized, 200);
            assertThatIllegalArgumentException().isThrownBy(() -> arena.free(resized))
                    .havingCause()
                    .withStackTraceContaining("GuardedArena.reallocate(");
            assertThatIllegalArgumentException().isThrownBy(() -> arena.free(MemorySegment.NULL)).withNoCause();
        }
    }
}
