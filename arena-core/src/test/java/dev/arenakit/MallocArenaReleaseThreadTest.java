package dev.arenakit;

import dev.arenakit.internal.Memory;
import dev.arenakit.testing.Threads;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Threads that adopt, release and close at the same time. Over libc, a block that is freed twice terminates the JVM.
@ParameterizedClass
@EnumSource(names = {"SHARED", "CHECKED_SHARED"})
class MallocArenaReleaseThreadTest {
    private static final int THREADS = 4;
    private static final NativeAllocator LIBC = NativeAllocator.libc();

    private final MallocKind kind;
    private final CountingAllocator counting = new CountingAllocator();

    MallocArenaReleaseThreadTest(MallocKind kind) {
        this.kind = kind;
    }

    @AfterEach
    void nothingIsLeft() {
        counting.assertNothingHeld();
    }

    @Test
    void adopt_oneBlockByManyThreads_succeedsInOneOfThem() {
        AtomicInteger adopted = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        try (MallocArena arena = kind.open(counting.allocator())) {
            List<MemorySegment> blocks = IntStream.range(0, 50).mapToObj(_ -> block()).toList();
            Threads.race(THREADS, _ -> {
                for (MemorySegment block : blocks) {
                    try {
                        assertThat(arena.adopt(block).byteSize()).isEqualTo(100);
                        adopted.incrementAndGet();
                    } catch (IllegalArgumentException e) {
                        refused.incrementAndGet();
                    }
                }
            });
            assertThat(arena.stats().liveBlocks()).isEqualTo(blocks.size());
        }
        assertThat(adopted).hasValue(50);
        assertThat(refused).hasValue(50 * (THREADS - 1));
    }

    @Test
    void adopt_besideClose_isFreedByTheArenaOrLeftToTheCaller() {
        for (int round = 0; round < 20; round++) {
            MallocArena arena = kind.open(counting.allocator());
            Threads.race(THREADS, index -> {
                if (index == 0) {
                    arena.close();
                    return;
                }
                // Few blocks: each takes a handshake to be freed in a checked arena.
                for (int i = 0; i < 20; i++) {
                    MemorySegment block = block();
                    try {
                        arena.adopt(block);
                    } catch (IllegalStateException e) {
                        counting.allocator().free(block.address(), 100, 1);
                    }
                }
            });
            counting.assertNothingHeld();
        }
    }

    @Test
    void release_oneBlockByManyThreads_succeedsInOneOfThem() {
        Queue<MemorySegment> released = new ConcurrentLinkedQueue<>();
        try (MallocArena arena = kind.open(LIBC)) {
            List<MemorySegment> blocks = IntStream.range(0, 50).mapToObj(_ -> arena.allocate(100)).toList();
            Threads.race(THREADS, _ -> {
                for (MemorySegment block : blocks) {
                    try {
                        released.add(arena.release(block));
                    } catch (IllegalArgumentException e) {
                        // Another thread was first. Nothing is freed meanwhile, so that no address is live again.
                        assertThat(e).hasMessageStartingWith("Not a live block");
                    }
                }
            });
            assertThat(released).hasSize(blocks.size());
            assertThat(arena.stats().liveBlocks()).isZero();
        }
        released.forEach(block -> LIBC.free(block.address(), 100, 1));
    }

    @Test
    void release_besideClose_givesEachBlockToOneSide() {
        for (int round = 0; round < 20; round++) {
            MallocArena arena = kind.open(LIBC);
            List<MemorySegment> blocks = IntStream.range(0, 60).mapToObj(i -> filled(arena.allocate(100), i)).toList();
            Threads.race(THREADS, index -> {
                if (index == 0) {
                    arena.close();
                    return;
                }
                for (int i = index; i < blocks.size(); i += THREADS - 1) {
                    try {
                        MemorySegment released = arena.release(blocks.get(i));
                        assertThat(Bytes.areFilled(released, i, 100)).isTrue();
                        LIBC.free(released.address(), 100, 1);
                    } catch (IllegalStateException | IllegalArgumentException e) {
                        // The arena has freed the block: a checked arena ends the blocks first.
                        Thread.onSpinWait();
                    }
                }
            });
        }
    }

    /// A block of the allocator, as a native call returns it.
    private MemorySegment block() {
        return Memory.segment(counting.allocator().allocate(100, 1), 100);
    }

    private static MemorySegment filled(MemorySegment segment, int seed) {
        Bytes.fill(segment, seed);
        return segment;
    }
}
