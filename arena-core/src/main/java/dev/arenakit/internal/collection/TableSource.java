package dev.arenakit.internal.collection;

import dev.arenakit.BlockAllocator;
import dev.arenakit.internal.collection.TableMemory.Table;
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
    /// @return whether the memory is released; otherwise it is in use, or there was too little memory
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
            hugePages.advise(allocator, table.segment, usedByteSize);
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
