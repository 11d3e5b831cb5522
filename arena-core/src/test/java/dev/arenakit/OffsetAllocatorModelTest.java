package dev.arenakit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Seeded random operations, compared with a model.
class OffsetAllocatorModelTest {
    private static final long MEMORY = 6 << 20;

    private record OverSegment(Arena arena, OffsetAllocator blocks) implements OffsetAllocatorModel.Allocator {
        static OverSegment open(Arena arena, boolean shared) {
            var memory = arena.allocate(MEMORY + 8, 8).asSlice(8);
            return new OverSegment(arena, shared ? OffsetAllocator.overShared(memory) : OffsetAllocator.over(memory));
        }

        @Override
        public long liveBlocks() {
            return blocks.stats().liveBlocks();
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    private record OfArena(FreeListArena blocks) implements OffsetAllocatorModel.Allocator {
        @Override
        public long liveBlocks() {
            return blocks.stats().liveBlocks();
        }

        @Override
        public void close() {
            blocks.close();
        }
    }

    @Test
    void anyOperations_overASegment_agreeWithTheModel() {
        for (long seed = 0; seed < 8; seed++) {
            boolean shared = seed % 2 == 1;
            OffsetAllocatorModel.run(seed, 10_000,
                    () -> OverSegment.open(shared ? Arena.ofShared() : Arena.ofConfined(), shared));
        }
    }

    @Test
    void anyOperations_ofAnArena_agreeWithTheModel() {
        for (long seed = 100; seed < 106; seed++) {
            boolean shared = seed % 2 == 1;
            OffsetAllocatorModel.run(seed, 10_000, () -> new OfArena(
                    shared ? FreeListArena.ofShared() : FreeListArena.ofConfined()));
        }
    }

    @Test
    void anyOperations_ofAnArenaWhoseAllocatorFails_agreeWithTheModelAndLeakNothing() {
        CountingAllocator counting = new CountingAllocator();
        for (long seed = 200; seed < 208; seed++) {
            long every = 2 + seed % 4;
            boolean shared = seed % 2 == 1;
            OffsetAllocatorModel.run(seed, 5_000, () -> {
                // The first range is needed to open the arena.
                AtomicLong requests = new AtomicLong();
                FreeListArena.Builder builder = FreeListArena.builder()
                        .allocator(NativeAllocator.failing(counting.allocator(),
                                _ -> requests.incrementAndGet() % every == 0));
                return new OfArena((shared ? builder.shared() : builder).build());
            });
            counting.assertNothingHeld();
        }
    }

    @Test
    void anyOperations_ofAnArenaOfASmallPool_agreeWithTheModel() {
        try (SlabPool pool = SlabPool.builder().maxByteSize(7 << 20).build()) {
            for (long seed = 300; seed < 304; seed++) {
                OffsetAllocatorModel.run(seed, 10_000, () -> new OfArena(FreeListArena.builder().pool(pool).build()));
            }
        }
    }

    @Test
    void run_ofAnAllocatorThatIgnoresAlignments_isReducedToTheOperationsThatMatter() {
        assertThatThrownBy(() -> OffsetAllocatorModel.run(1, 5_000, MisalignedAllocator::new))
                .isInstanceOf(AssertionError.class)
                .message()
                .hasSizeLessThan(600);
    }

    /// Ignores alignments above 16.
    private static final class MisalignedAllocator implements OffsetAllocatorModel.Allocator, BlockAllocator {
        private final FreeListArena arena = FreeListArena.ofConfined();

        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            return arena.allocate(byteSize, Math.min(byteAlignment, 16));
        }

        @Override
        public void free(MemorySegment segment) {
            arena.free(segment);
        }

        @Override
        public MemorySegment reallocate(MemorySegment segment, long newByteSize) {
            return arena.reallocate(segment, newByteSize);
        }

        @Override
        public BlockAllocator blocks() {
            return this;
        }

        @Override
        public long liveBlocks() {
            return arena.stats().liveBlocks();
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    @Test
    void rawOperations_aMillion_keepTheContentOfEachBlock() {
        raw(1_000_000, 42);
    }

    @Test
    @Tag("slow")
    void rawOperations_aThousandMillion_keepTheContentOfEachBlock() {
        raw(1_000_000_000, System.nanoTime());
    }

    @Test
    @Tag("slow")
    void anyOperations_tenMillion_agreeWithTheModel() {
        long first = System.nanoTime();
        for (long seed = first; seed < first + 100; seed++) {
            OffsetAllocatorModel.run(seed, 100_000, () -> OverSegment.open(Arena.ofConfined(), false));
        }
    }

    /// Replaces random blocks by others. The first word of each block has its offset, and the last byte its number.
    private static void raw(long operations, long seed) {
        Random random = new Random(seed);
        long[] offsets = new long[10_000];
        long[] sizes = new long[offsets.length];
        try (Arena arena = Arena.ofConfined()) {
            OffsetAllocator allocator = OffsetAllocator.over(arena.allocate(64 << 20));
            long state = seed;
            for (long i = 0; i < operations; i++) {
                state = state * 6364136223846793005L + 1442695040888963407L;
                int slot = (int) ((state >>> 33) % offsets.length);
                if (offsets[slot] != 0) {
                    long offset = offsets[slot];
                    if (allocator.memory().get(JAVA_LONG, offset) != offset
                            || allocator.memory().get(JAVA_LONG, offset + ((sizes[slot] - 8) & -8)) != offset) {
                        throw new AssertionError("Changed: seed=" + seed + ", operation=" + i);
                    }
                    allocator.freeRaw(offset);
                }
                long size = 8 + (1L << (state & 7)) * ((state >>> 8) & 15) + random.nextInt(16);
                long offset = allocator.allocateRaw(size);
                allocator.memory().set(JAVA_LONG, offset, offset);
                allocator.memory().set(JAVA_LONG, offset + ((size - 8) & -8), offset);
                offsets[slot] = offset;
                sizes[slot] = size;
            }
            for (long offset : offsets) {
                if (offset != 0) {
                    allocator.freeRaw(offset);
                }
            }
            if (allocator.stats().liveBlocks() != 0) {
                throw new AssertionError("Lost blocks: seed=" + seed);
            }
        }
    }
}
