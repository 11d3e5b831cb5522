package dev.arenakit.internal.collection;

import dev.arenakit.BlockAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.function.Supplier;

/// The source of a structure's tables, which decides whether tables can be resized and released.
sealed interface TableSource {
    /// Allocates the memory of a table. Even if this method throws, the table refers to everything that must be
    /// released.
    void allocate(Table table, long byteSize, long byteAlignment);

    /// Resizes the memory of a table and preserves its contents, if the source can.
    ///
    /// @return whether the table has a new segment
    boolean reallocate(Table table, long newByteSize);

    /// Advises the system that the first bytes of a table will be used.
    void advise(Table table, long usedByteSize);

    /// Releases the memory of a table.
    ///
    /// @return whether the memory is released; otherwise it is in use, or there was too little stack or heap
    boolean release(Table table);

    /// Tables that live as long as their allocator. The largest released table is reused for the next table that has
    /// more than half its size, so that a structure of constant size needs two tables.
    final class Bound implements TableSource {
        private final SegmentAllocator allocator;
        /// Released memory, or a segment of size 0.
        private MemorySegment spare = MemorySegment.NULL;

        Bound(SegmentAllocator allocator) {
            this.allocator = allocator;
        }

        @Override
        public void allocate(Table table, long byteSize, long byteAlignment) {
            if (byteSize <= spare.byteSize() && byteSize > spare.byteSize() / 2
                    && spare.maxByteAlignment() >= byteAlignment && spare.scope().isAlive()) {
                table.segment = spare.asSlice(0, byteSize);
                table.whole = spare;
                spare = MemorySegment.NULL;
            } else {
                table.segment = allocator.allocate(byteSize, byteAlignment);
                table.whole = table.segment;
            }
        }

        @Override
        public boolean reallocate(Table table, long newByteSize) {
            return false;
        }

        @Override
        public void advise(Table table, long usedByteSize) {}

        @Override
        public boolean release(Table table) {
            if (table.whole.byteSize() > spare.byteSize()) {
                spare = table.whole;
            }
            table.segment = MemorySegment.NULL;
            table.whole = MemorySegment.NULL;
            return true;
        }
    }

    /// Tables that are freed one by one.
    record Blocks(BlockAllocator allocator, HugePages hugePages) implements TableSource {
        @Override
        public void allocate(Table table, long byteSize, long byteAlignment) {
            table.segment = allocator.allocate(byteSize, byteAlignment);
        }

        @Override
        public boolean reallocate(Table table, long newByteSize) {
            table.segment = allocator.reallocate(table.segment, newByteSize);
            return true;
        }

        @Override
        public void advise(Table table, long usedByteSize) {
            hugePages.advise(allocator, table.segment, usedByteSize);
        }

        @Override
        public boolean release(Table table) {
            if (!table.segment.scope().isAlive()) {
                table.segment = MemorySegment.NULL;
            }
            if (!table.segment.equals(MemorySegment.NULL)) {
                try {
                    allocator.free(table.segment);
                } catch (IllegalStateException | OutOfMemoryError e) {
                    return false;
                } catch (StackOverflowError e) {
                    // The block may be free already, and a second call could free a later block at its address. If it
                    // is not free, the allocator releases it at the end of its lifetime.
                }
                table.segment = MemorySegment.NULL;
            }
            return true;
        }
    }

    /// Tables that each have an arena.
    record Owning(Supplier<? extends Arena> arenas, HugePages hugePages) implements TableSource {
        @Override
        public void allocate(Table table, long byteSize, long byteAlignment) {
            table.arena = arenas.get();
            table.segment = table.arena.allocate(byteSize, hugePages.alignment(table.arena, byteSize, byteAlignment));
        }

        @Override
        public boolean reallocate(Table table, long newByteSize) {
            return false;
        }

        @Override
        public void advise(Table table, long usedByteSize) {
            if (table.arena != null) {
                hugePages.advise(table.arena, table.segment, usedByteSize);
            }
        }

        @Override
        public boolean release(Table table) {
            Arena arena = table.arena;
            if (arena != null && arena.scope().isAlive()) {
                try {
                    arena.close();
                } catch (IllegalStateException | OutOfMemoryError | StackOverflowError e) {
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
