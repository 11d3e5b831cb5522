package dev.arenakit.collection;

import dev.arenakit.BlockAllocator;
import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Replaces the contents of each structure many times, and counts the memory that the structure takes from its source.
/// The memory has a bound that does not depend on the number of replacements.
@Tag("full")
class ReplacementMemoryTest {
    private static final int PEAK = 2_000;
    private static final int LEAST_LIVE = 20;
    /// The tables of the peak and the tables left behind by their growth take half of this multiple of the peak's
    /// memory.
    private static final long MAX_RATIO = 4;

    /// Counts bytes.
    static final class Counter {
        private long held;
        private long peak;

        void add(long byteSize) {
            held += byteSize;
            peak = Math.max(peak, held);
        }
    }

    /// Memory that is freed after a structure, the newest first.
    static final class Lifetime implements AutoCloseable {
        private final Deque<Runnable> closing = new ArrayDeque<>();
        private final Arena arena = open(Arena.ofConfined());

        SlabPool open(SlabPool pool) {
            closing.push(pool::close);
            return pool;
        }

        <A extends Arena> A open(A opened) {
            closing.push(opened::close);
            return opened;
        }

        @Override
        public void close() {
            closing.forEach(Runnable::run);
        }
    }

    /// Where memory comes from. Memory that cannot be freed counts forever.
    enum Source {
        ARENA, SLICES, SLAB_ARENA, MALLOC_ARENA, FREE_LIST_ARENA, OWNED_ARENAS;

        Structures.Added create(Structures structure, Counter counter, Lifetime lifetime) {
            return switch (this) {
                case ARENA -> structure.create(counting(lifetime.arena, counter), 0);
                case SLICES -> structure.create(counting(
                        SegmentAllocator.slicingAllocator(lifetime.arena.allocate(1L << 24)), counter), 0);
                case SLAB_ARENA -> structure.create(
                        counting(lifetime.open(lifetime.open(SlabPool.create()).openConfined()), counter), 0);
                case MALLOC_ARENA -> structure.create(new Blocks(lifetime.open(MallocArena.ofConfined()), counter), 0);
                case FREE_LIST_ARENA -> structure.create(
                        new Blocks(lifetime.open(FreeListArena.ofConfined()), counter), 0);
                case OWNED_ARENAS -> structure.owning(() -> new Owned(MallocArena.ofConfined(), counter), 0);
            };
        }
    }

    private static SegmentAllocator counting(SegmentAllocator allocator, Counter counter) {
        return (byteSize, byteAlignment) -> {
            counter.add(byteSize);
            return allocator.allocate(byteSize, byteAlignment);
        };
    }

    private record Blocks(BlockAllocator delegate, Counter counter) implements BlockAllocator {
        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            counter.add(byteSize);
            return delegate.allocate(byteSize, byteAlignment);
        }

        @Override
        public MemorySegment reallocate(MemorySegment segment, long newByteSize) {
            counter.add(newByteSize - segment.byteSize());
            return delegate.reallocate(segment, newByteSize);
        }

        @Override
        public void free(MemorySegment segment) {
            counter.add(-segment.byteSize());
            delegate.free(segment);
        }
    }

    private static final class Owned implements Arena {
        private final Arena delegate;
        private final Counter counter;
        private long allocated;

        Owned(Arena delegate, Counter counter) {
            this.delegate = delegate;
            this.counter = counter;
        }

        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            counter.add(byteSize);
            allocated += byteSize;
            return delegate.allocate(byteSize, byteAlignment);
        }

        @Override
        public MemorySegment.Scope scope() {
            return delegate.scope();
        }

        @Override
        public void close() {
            counter.add(-allocated);
            delegate.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void replace_manyTimes_takesBoundedMemory(Source source) {
        for (Structures structure : Structures.values()) {
            replace(source, structure, 20_000);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void replace_tenMillionTimes_takesBoundedMemory(Source source) {
        for (Structures structure : Structures.values()) {
            replace(source, structure, 10_000_000);
        }
    }

    /// Adds and removes numbers. After a peak, the number of live entries grows and shrinks at random, and remains the
    /// same for some time in between.
    private static void replace(Source source, Structures structure, int replacements) {
        Counter counter = new Counter();
        // The memory of bits depends on the largest one.
        int numbers = structure == Structures.BIT_SET ? PEAK : Integer.MAX_VALUE;
        try (Lifetime lifetime = new Lifetime(); Structures.Added queue = source.create(structure, counter, lifetime)) {
            Random random = new Random(1);
            int next = 0;
            int oldest = 0;
            for (; next < PEAK; next++) {
                queue.add(next % numbers);
            }
            long peak = counter.peak;
            while (next < replacements) {
                int live = LEAST_LIVE + random.nextInt(PEAK / (1 + random.nextInt(20)) - LEAST_LIVE);
                for (; next - oldest < live; next++) {
                    queue.add(next % numbers);
                }
                for (; next - oldest > live; oldest++) {
                    queue.remove(oldest % numbers);
                }
                for (int until = next + random.nextInt(2_000); next < until; next++, oldest++) {
                    queue.add(next % numbers);
                    queue.remove(oldest % numbers);
                }
            }
            assertThat(counter.peak).as("%s of %s after a peak of %d", structure, source, peak)
                    .isLessThan(MAX_RATIO * peak);
        }
    }
}
