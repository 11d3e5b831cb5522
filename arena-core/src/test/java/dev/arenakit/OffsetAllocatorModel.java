package dev.arenakit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongSupplier;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Random operations of an allocator, which is compared with a map of the blocks that should be live.
final class OffsetAllocatorModel {
    /// An allocator with no blocks.
    ///
    /// @param liveBlocks says how many blocks are live
    /// @param arena      ends the memory of the allocator
    record Opened(BlockAllocator blocks, LongSupplier liveBlocks, Arena arena) {
        static Opened over(Arena arena, boolean shared) {
            MemorySegment memory = arena.allocate(MEMORY + 8, 8).asSlice(8);
            OffsetAllocator blocks = shared ? OffsetAllocator.overShared(memory) : OffsetAllocator.over(memory);
            return new Opened(blocks, () -> blocks.stats().liveBlocks(), arena);
        }

        static Opened of(FreeListArena arena) {
            return new Opened(arena, () -> arena.stats().liveBlocks(), arena);
        }
    }

    private static final long MEMORY = 6 << 20;

    private record Live(MemorySegment segment, long byteAlignment, byte content) {}

    private final BlockAllocator allocator;
    private final List<Live> live = new ArrayList<>();
    private final TreeMap<Long, Live> byAddress = new TreeMap<>();
    private final List<MemorySegment> freed = new ArrayList<>();
    private byte content;

    private OffsetAllocatorModel(BlockAllocator allocator) {
        this.allocator = allocator;
    }

    /// Runs random operations, and closes the arena.
    static void run(long seed, int count, Opened opened) {
        OffsetAllocatorModel model = new OffsetAllocatorModel(opened.blocks);
        Random random = new Random(seed);
        int bits = 4 + random.nextInt(14);
        try (opened.arena) {
            for (int i = 0; i < count; i++) {
                // Phases of growth and of decline, so that slabs become full and empty.
                boolean growth = (i / 2_000) % 3 != 2;
                model.step(random.nextInt(growth ? 8 : 14), random.nextLong(1L << (1 + random.nextInt(bits))), random);
                if (i % 1_000 == 0 || i == count - 1) {
                    check(opened.liveBlocks.getAsLong() == model.live.size(), "live blocks");
                }
            }
            while (!model.live.isEmpty()) {
                model.free(model.live.size() - 1);
            }
            check(opened.liveBlocks.getAsLong() == 0, "live blocks at the end");
        } catch (AssertionError | RuntimeException | OutOfMemoryError e) {
            throw new AssertionError("seed=" + seed, e);
        }
    }

    private void step(int kind, long byteSize, Random random) {
        if (kind < 5 || live.isEmpty()) {
            allocate(byteSize, 1L << random.nextInt(random.nextInt(4) == 0 ? 18 : 4));
        } else if (kind == 5) {
            reallocate(random.nextInt(live.size()), byteSize);
        } else {
            free(random.nextInt(live.size()));
        }
    }

    private void allocate(long byteSize, long byteAlignment) {
        MemorySegment segment;
        try {
            segment = allocator.allocate(byteSize, byteAlignment);
        } catch (CapacityExceededException | OutOfMemoryError e) {
            return;
        }
        check(segment.byteSize() == byteSize, "size");
        add(segment, byteAlignment);
    }

    private void reallocate(int index, long byteSize) {
        Live old = live.get(index);
        MemorySegment moved;
        try {
            moved = allocator.reallocate(old.segment, byteSize);
        } catch (CapacityExceededException | OutOfMemoryError e) {
            checkContent(old);
            return;
        }
        check(moved.byteSize() == byteSize, "size");
        check(Bytes.allAre(moved.asSlice(0, Math.min(byteSize, old.segment.byteSize())), old.content), "content");
        remove(index);
        add(moved, old.byteAlignment);
    }

    private void free(int index) {
        Live old = remove(index);
        checkContent(old);
        try {
            allocator.free(old.segment);
        } catch (OutOfMemoryError e) {
            // There was no memory for the index of large blocks.
            live.add(old);
            byAddress.put(old.segment.address(), old);
            return;
        }
        freed.add(old.segment);
        if (freed.size() > 10) {
            freed.forEach(this::checkRefused);
            freed.clear();
        }
    }

    private void checkRefused(MemorySegment stale) {
        if (!byAddress.containsKey(stale.address())) {
            try {
                allocator.free(stale);
            } catch (IllegalArgumentException | OutOfMemoryError e) {
                return;
            }
            throw new AssertionError("freed twice");
        }
    }

    private void add(MemorySegment segment, long byteAlignment) {
        long address = segment.address();
        long end = address + Math.max(1, segment.byteSize());
        check(address % byteAlignment == 0, "alignment");
        Map.Entry<Long, Live> before = byAddress.lowerEntry(end);
        check(before == null || before.getKey() + Math.max(1, before.getValue().segment.byteSize()) <= address,
                "overlap");
        Live added = new Live(segment.fill(++content), byteAlignment, content);
        live.add(added);
        byAddress.put(address, added);
    }

    private Live remove(int index) {
        Live last = live.removeLast();
        Live removed = index == live.size() ? last : live.set(index, last);
        byAddress.remove(removed.segment.address());
        return removed;
    }

    private static void checkContent(Live block) {
        long byteSize = block.segment.byteSize();
        check(byteSize == 0 || (block.segment.get(JAVA_BYTE, 0) == block.content
                && block.segment.get(JAVA_BYTE, byteSize - 1) == block.content), "content");
    }

    private static void check(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }
}
