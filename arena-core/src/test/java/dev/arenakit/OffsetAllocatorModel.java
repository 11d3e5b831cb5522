package dev.arenakit;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// A sequence of operations of an allocator, which is compared with a map of the blocks that should be live.
///
/// A sequence that fails is reduced to a short one that still fails.
final class OffsetAllocatorModel {
    /// Creates an allocator with no blocks.
    interface Opening {
        Allocator open();
    }

    /// An allocator, and how many blocks it says are live.
    interface Allocator extends AutoCloseable {
        BlockAllocator blocks();

        long liveBlocks();

        @Override
        void close();
    }

    /// An operation: which one, a random number that chooses among the live blocks, a size, and an alignment.
    record Operation(int kind, int choice, long byteSize, long byteAlignment) {}

    private record Live(MemorySegment segment, long byteAlignment, byte content) {}

    private final BlockAllocator allocator;
    private final List<Live> live = new ArrayList<>();
    private final TreeMap<Long, Live> byAddress = new TreeMap<>();
    private final List<MemorySegment> freed = new ArrayList<>();
    private byte content;

    private OffsetAllocatorModel(BlockAllocator allocator) {
        this.allocator = allocator;
    }

    /// Runs random operations, and reports the shortest failing part of them.
    static void run(long seed, int count, Opening opening) {
        Operation[] operations = operations(new Random(seed), count);
        AssertionError failure = failure(operations, opening);
        if (failure != null) {
            Operation[] shortest = shrink(operations, opening);
            throw new AssertionError("seed=" + seed + ", operations=" + Arrays.toString(shortest),
                    failure(shortest, opening));
        }
    }

    private static Operation[] operations(Random random, int count) {
        Operation[] operations = new Operation[count];
        int bits = 4 + random.nextInt(14);
        for (int i = 0; i < count; i++) {
            // Phases of growth and of decline, so that slabs become full and empty.
            boolean growth = (i / 2_000) % 3 != 2;
            int kind = random.nextInt(growth ? 8 : 14);
            long byteAlignment = random.nextInt(4) == 0 ? 1L << random.nextInt(18) : 1L << random.nextInt(4);
            operations[i] = new Operation(kind, random.nextInt(Integer.MAX_VALUE),
                    random.nextLong(1L << (1 + random.nextInt(bits))), byteAlignment);
        }
        return operations;
    }

    /// Leaves out longer, then shorter parts, as long as the rest fails.
    static Operation[] shrink(Operation[] operations, Opening opening) {
        Operation[] shortest = operations;
        for (int length = shortest.length / 2; length > 0; length /= 2) {
            for (int start = 0; start + length <= shortest.length;) {
                Operation[] rest = new Operation[shortest.length - length];
                System.arraycopy(shortest, 0, rest, 0, start);
                System.arraycopy(shortest, start + length, rest, start, rest.length - start);
                if (failure(rest, opening) != null) {
                    shortest = rest;
                } else {
                    start += length;
                }
            }
        }
        return shortest;
    }

    private static @Nullable AssertionError failure(Operation[] operations, Opening opening) {
        try (Allocator allocator = opening.open()) {
            OffsetAllocatorModel model = new OffsetAllocatorModel(allocator.blocks());
            for (int i = 0; i < operations.length; i++) {
                model.step(operations[i]);
                if (i % 1_000 == 0 || i == operations.length - 1) {
                    check(allocator.liveBlocks() == model.live.size(), "live blocks: " + allocator.liveBlocks()
                            + " instead of " + model.live.size());
                }
            }
            while (!model.live.isEmpty()) {
                model.free(model.live.size() - 1);
            }
            check(allocator.liveBlocks() == 0, "live blocks at the end");
            return null;
        } catch (AssertionError e) {
            return e;
        } catch (RuntimeException | OutOfMemoryError e) {
            return new AssertionError(e);
        }
    }

    private void step(Operation operation) {
        if (operation.kind < 5 || live.isEmpty()) {
            allocate(operation);
        } else if (operation.kind == 5) {
            reallocate(operation.choice % live.size(), operation.byteSize);
        } else {
            free(operation.choice % live.size());
        }
    }

    private void allocate(Operation operation) {
        MemorySegment segment;
        try {
            segment = allocator.allocate(operation.byteSize, operation.byteAlignment);
        } catch (CapacityExceededException | OutOfMemoryError e) {
            return;
        }
        check(segment.byteSize() == operation.byteSize, "size");
        add(segment, operation.byteAlignment);
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
