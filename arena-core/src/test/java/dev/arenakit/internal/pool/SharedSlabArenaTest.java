package dev.arenakit.internal.pool;

import dev.arenakit.Bytes;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.testing.Threads;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Shared arenas, from which each thread takes pieces.
class SharedSlabArenaTest {
    private static final int THREADS = 8;

    @ParameterizedTest
    @ValueSource(longs = {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 20})
    void allocate_inManyThreads_givesZeroedMemoryThatDoesNotOverlap(long slabByteSize) {
        try (SlabPool pool = SlabPool.builder().slabByteSize(slabByteSize).build()) {
            // The second round gets the memory of the first.
            for (int round = 0; round < 3; round++) {
                Queue<List<MemorySegment>> all = new ConcurrentLinkedQueue<>();
                try (SlabArena arena = pool.openShared()) {
                    Threads.race(THREADS, index -> all.add(allocateMany(arena, index + 1, 600)));
                    assertDisjointAndIntact(all);
                }
                assertThat(pool.stats().usedByteSize()).isZero();
            }
        }
    }

    /// There are more threads than slots for their pieces, so that threads take slots from each other.
    @Test
    void allocate_inMoreThreadsThanThereArePieces_givesMemoryThatDoesNotOverlap() throws InterruptedException {
        int count = 700;
        try (SlabPool pool = SlabPool.create(); SlabArena arena = pool.openShared()) {
            Queue<List<MemorySegment>> all = new ConcurrentLinkedQueue<>();
            CountDownLatch firstHalf = new CountDownLatch(count);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int mark = i % 100 + 1;
                threads.add(Thread.ofVirtual().start(() -> {
                    all.add(allocateMany(arena, mark, 10));
                    firstHalf.countDown();
                    Threads.await(firstHalf);
                    all.add(allocateMany(arena, mark, 10));
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(all).hasSize(2 * count);
            assertDisjointAndIntact(all);
        }
    }

    @Test
    void allocate_fewBlocksInManyThreads_takesLittleMemoryForEach() {
        try (SlabPool pool = SlabPool.create(); SlabArena arena = pool.openShared()) {
            Threads.race(100, _ -> arena.allocate(16, 8));
            assertThat(pool.stats().usedByteSize()).as("100 pieces fit into a slab").isEqualTo(64 * 1024);
        }
    }

    private static List<MemorySegment> allocateMany(SlabArena arena, int mark, int count) {
        List<MemorySegment> segments = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long byteSize = switch (i % 20) {
                case 0 -> 0;
                case 7 -> 3_000;
                case 13 -> 700;
                case 19 -> 300_000 / count;
                default -> 1 + i * 37L % 200;
            };
            long byteAlignment = i % 11 == 5 ? 4096 : 1L << i % 9;
            MemorySegment segment = arena.allocate(byteSize, byteAlignment);
            assertThat(segment.address() % byteAlignment).isZero();
            assertThat(Bytes.allAre(segment, (byte) 0)).as("%s is zeroed", segment).isTrue();
            segments.add(segment.fill((byte) mark));
        }
        // The last element says how the others are filled.
        segments.add(MemorySegment.ofArray(new byte[]{(byte) mark}));
        return segments;
    }

    private static void assertDisjointAndIntact(Queue<List<MemorySegment>> all) {
        List<MemorySegment> sorted = new ArrayList<>();
        for (List<MemorySegment> segments : all) {
            byte mark = segments.getLast().toArray(ValueLayout.JAVA_BYTE)[0];
            for (MemorySegment segment : segments.subList(0, segments.size() - 1)) {
                assertThat(Bytes.allAre(segment, mark)).as("%s of %s", segment, mark).isTrue();
                sorted.add(segment);
            }
        }
        sorted.sort(Comparator.comparingLong(MemorySegment::address));
        for (int i = 1; i < sorted.size(); i++) {
            MemorySegment lower = sorted.get(i - 1);
            assertThat(lower.address() + Math.max(1, lower.byteSize())).isLessThanOrEqualTo(sorted.get(i).address());
        }
    }
}
