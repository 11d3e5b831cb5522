package dev.arenakit.internal.collection;

import dev.arenakit.BlockAllocator;
import dev.arenakit.internal.collection.TableMemory.Table;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// The source of a structure's tables, which decides whether tables can be resized and released.
sealed interface TableSource {
    /// Allocates the memory of a table. Even if this method throws, the table refers to everything that must be
    /// released.
    void allocate(Table table, long byteSize, long byteAlignment);

    /// Returns whether the memory of a released table is free for others.
    boolean canRelease();

    /// Resizes the memory of a table and preserves its contents, if the source can.
    ///
    /// @return whether the table has a new segment
    boolean reallocate(Table table, long newByteSize);

    /// Advises the system that the first bytes of a table will be used.
    void advise(Table table, long usedByteSize);

    /// Releases the memory of a table.
    ///
    /// @return whether the memory is released; otherwise it is in use, or there was too little memory
    boolean release(Table table);

    /// Tables that live as long as their allocator. A released table is used again for each later table that fits into
    /// it.
    final class Bound implements TableSource {
        /*
         * The smallest released table that is large enough is used again. If there is none, a new table is larger than
         * each released one by a quarter at least. Only the table in use may be nearly as large. So of any three tables,
         * ordered by size, the largest is larger than the smallest by a quarter, and the sum of all tables is at most ten
         * times the largest, however often a structure grows, shrinks and moves its entries.
         */
        private static final long PADDING_DIVISOR = 4;

        private final SegmentAllocator allocator;
        private final List<MemorySegment> released = new ArrayList<>();

        Bound(SegmentAllocator allocator) {
            this.allocator = allocator;
        }

        @Override
        public void allocate(Table table, long byteSize, long byteAlignment) {
            // The memory of an allocator may have several lifetimes.
            released.removeIf(segment -> !segment.scope().isAlive());
            int best = -1;
            long largest = 0;
            for (int i = 0; i < released.size(); i++) {
                MemorySegment segment = released.get(i);
                largest = Math.max(largest, segment.byteSize());
                if (segment.byteSize() >= byteSize && segment.maxByteAlignment() >= byteAlignment
                        && (best < 0 || segment.byteSize() < released.get(best).byteSize())) {
                    best = i;
                }
            }
            MemorySegment whole = best < 0
                    ? allocator.allocate(paddedByteSize(byteSize, largest), byteAlignment)
                    : released.get(best);
            MemorySegment segment = whole.asSlice(0, byteSize);
            if (best >= 0) {
                released.remove(best);
            }
            table.segment = segment;
            table.whole = whole;
        }

        @Override
        public boolean canRelease() {
            return false;
        }

        private static long paddedByteSize(long byteSize, long largest) {
            return largest < byteSize ? Math.max(byteSize, largest + largest / PADDING_DIVISOR) : byteSize;
        }

        @Override
        public boolean reallocate(Table table, long newByteSize) {
            if (newByteSize > table.whole.byteSize()) {
                return false;
            }
            table.segment = table.whole.asSlice(0, newByteSize);
            return true;
        }

        @Override
        public void advise(Table table, long usedByteSize) {}

        @Override
        public boolean release(Table table) {
            MemorySegment whole = table.whole;
            // If an Error interrupts the next call, the memory is lost. In the other order, two tables could get it.
            table.segment = MemorySegment.NULL;
            table.whole = MemorySegment.NULL;
            if (whole.byteSize() > 0) {
                released.add(whole);
            }
            return true;
        }
    }

    /// Tables that are freed one by one.
    record Blocks(BlockAllocator allocator) implements TableSource {
        @Override
        public void allocate(Table table, long byteSize, long byteAlignment) {
            table.segment = allocator.allocate(byteSize, byteAlignment);
        }

        @Override
        public boolean canRelease() {
            return true;
        }

        @Override
        public boolean reallocate(Table table, long newByteSize) {
            MemorySegment block = table.segment;
            // If an Error interrupts the allocator, the block may have been freed.
            table.segment = MemorySegment.NULL;
            try {
                table.segment = allocator.reallocate(block, newByteSize);
            } catch (RuntimeException e) {
                table.segment = block;
                throw e;
            } catch (OutOfMemoryError e) {
                if (!isOfJavaHeap(e)) {
                    table.segment = block;
                }
                throw e;
            }
            return true;
        }

        @Override
        public void advise(Table table, long usedByteSize) {
            HugePages.advise(allocator, table.segment, usedByteSize);
        }

        @Override
        public boolean release(Table table) {
            MemorySegment block = table.segment;
            // If an Error interrupts the allocator, the block may be free already, and a second call could free a later
            // block at its address.
            table.segment = MemorySegment.NULL;
            if (block.scope().isAlive() && !block.equals(MemorySegment.NULL)) {
                try {
                    allocator.free(block);
                } catch (IllegalStateException | OutOfMemoryError e) {
                    table.segment = block;
                    return false;
                }
            }
            return true;
        }
    }

    /// Returns whether the JVM has thrown an error, and not an allocator, whose errors have other messages.
    private static boolean isOfJavaHeap(OutOfMemoryError e) {
        String message = String.valueOf(e.getMessage());
        return message.startsWith("Java heap space") || message.startsWith("GC overhead limit")
                || message.startsWith("Requested array size exceeds")
                || message.startsWith("Metaspace") || message.startsWith("Compressed class space");
    }

    /// Tables that each have an arena.
    record Owning(Supplier<? extends Arena> arenas) implements TableSource {
        @Override
        public void allocate(Table table, long byteSize, long byteAlignment) {
            table.arena = arenas.get();
            table.segment = table.arena.allocate(byteSize, HugePages.alignment(table.arena, byteSize, byteAlignment));
        }

        @Override
        public boolean canRelease() {
            return true;
        }

        @Override
        public boolean reallocate(Table table, long newByteSize) {
            return false;
        }

        @Override
        public void advise(Table table, long usedByteSize) {
            if (table.arena != null) {
                HugePages.advise(table.arena, table.segment, usedByteSize);
            }
        }

        @Override
        public boolean release(Table table) {
            Arena arena = table.arena;
            if (arena != null && arena.scope().isAlive()) {
                try {
                    arena.close();
                } catch (IllegalStateException | OutOfMemoryError e) {
                    if (arena.scope().isAlive()) {
                        return false;
                    }
                }
            }
            table.segment = MemorySegment.NULL;
            return true;
        }
    }
}
