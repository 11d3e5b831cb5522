package dev.arenakit;

import dev.arenakit.internal.Memory;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The native blocks of an unchecked [MallocArena].
///
/// Not thread-safe: [SharedBlocks] locks around it.
final class Blocks {
    /*
     * A new block joins a list, in a few nanoseconds. To free or to resize a single block, the arena must find it without
     * a look at memory that may not be its own: each such call first moves the blocks of the list to a table.
     *
     * C2 keeps the fields of a confined arena and of this object in registers. For this reason, nothing that C2 may
     * choose not to inline is called with either of them during an allocation or a close.
     */
    /// The address of the newest block of the [list][BlockList], or 0.
    private long newest;
    /// The blocks that are not in the list, or null.
    private @Nullable BlockTable table;

    /// Allocates a block.
    MemorySegment allocate(NativeAllocator allocator, MemorySegment view, long byteSize, long byteAlignment,
            boolean zeroed) {
        long address = BlockList.allocate(allocator, byteSize, byteAlignment, zeroed);
        MemorySegment segment;
        try {
            segment = view.asSlice(address, byteSize);
        } catch (Throwable t) {
            BlockList.free(allocator, address, BlockList.sizeAndAlignment(byteSize, byteAlignment));
            throw t;
        }
        add(address, byteSize, byteAlignment);
        return segment;
    }

    /// Allocates a block for whose [#free(NativeAllocator, long, long)] no memory is needed.
    MemorySegment allocateIndexed(NativeAllocator allocator, MemorySegment view, long byteSize, long byteAlignment,
            boolean zeroed) {
        long address = BlockList.allocate(allocator, byteSize, byteAlignment, zeroed);
        long sizeAndAlignment = BlockList.sizeAndAlignment(byteSize, byteAlignment);
        try {
            MemorySegment segment = view.asSlice(address, byteSize);
            index(allocator).add(allocator, address, sizeAndAlignment);
            return segment;
        } catch (Throwable t) {
            BlockList.free(allocator, address, sizeAndAlignment);
            throw t;
        }
    }

    /// Adds a block that was allocated by [BlockList#allocate].
    void add(long address, long byteSize, long byteAlignment) {
        BlockList.link(address, newest, BlockList.sizeAndAlignment(byteSize, byteAlignment));
        newest = address;
    }

    /// Frees a block, which must be a segment of the view's scope.
    void free(NativeAllocator allocator, MemorySegment view, MemorySegment segment) {
        if (!isOurs(view, segment) || !free(allocator, segment.address(), segment.byteSize())) {
            throw notALiveBlock(segment);
        }
    }

    /// Frees a block. Memory is needed for the table, unless all blocks were [indexed][#allocateIndexed].
    ///
    /// @return false if there is no such block
    boolean free(NativeAllocator allocator, long address, long byteSize) {
        BlockTable table = index(allocator);
        long position = find(table, address, byteSize);
        if (position == BlockTable.NONE) {
            return false;
        }
        long sizeAndAlignment = table.sizeAndAlignmentAt(position);
        table.remove(allocator, position);
        BlockList.free(allocator, address, sizeAndAlignment);
        return true;
    }

    /// Resizes a block.
    MemorySegment reallocate(NativeAllocator allocator, MemorySegment view, MemorySegment segment, long newByteSize) {
        BlockTable table = index(allocator);
        long address = segment.address();
        long byteSize = segment.byteSize();
        long position = isOurs(view, segment) ? find(table, address, byteSize) : BlockTable.NONE;
        if (position == BlockTable.NONE) {
            throw notALiveBlock(segment);
        }
        long sizeAndAlignment = table.sizeAndAlignmentAt(position);
        long byteAlignment = BlockList.byteAlignment(sizeAndAlignment);
        Sizes.checkAddressable(newByteSize, byteAlignment);
        long newSizeAndAlignment = BlockList.sizeAndAlignment(newByteSize, byteAlignment);
        // Not by realloc: if the heap or the stack is exhausted when it has moved the block, the caller is left with
        // a segment whose memory is gone.
        long moved = BlockList.allocate(allocator, newByteSize, byteAlignment, false);
        MemorySegment resized;
        try {
            resized = view.asSlice(moved, newByteSize);
            Memory.copy(address, moved, Math.min(byteSize, newByteSize));
        } catch (Throwable t) {
            BlockList.free(allocator, moved, newSizeAndAlignment);
            throw t;
        }
        table.replace(position, moved, newSizeAndAlignment);
        try {
            BlockList.free(allocator, address, sizeAndAlignment);
        } catch (StackOverflowError e) {
            // The memory of the old block is lost. To throw here would mean that the block is unchanged.
            return resized;
        }
        return resized;
    }

    /// The alignment of a live block, or 0 if there is no such block.
    long byteAlignment(NativeAllocator allocator, long address, long byteSize) {
        BlockTable table = index(allocator);
        long position = find(table, address, byteSize);
        return position == BlockTable.NONE ? 0 : BlockList.byteAlignment(table.sizeAndAlignmentAt(position));
    }

    /// Frees all blocks.
    void freeAll(NativeAllocator allocator) {
        long block = newest;
        // First, so that no block is freed twice if this method fails.
        newest = 0;
        BlockList.freeAll(allocator, block, table);
    }

    /// Moves the blocks of the list to the table.
    private BlockTable index(NativeAllocator allocator) {
        BlockTable table = table();
        while (newest != 0) {
            long previous = BlockList.previous(newest);
            table.add(allocator, newest, BlockList.sizeAndAlignment(newest));
            newest = previous;
        }
        return table;
    }

    private BlockTable table() {
        BlockTable existing = table;
        if (existing != null) {
            return existing;
        }
        BlockTable created = new BlockTable();
        table = created;
        return created;
    }

    private static boolean isOurs(MemorySegment view, MemorySegment segment) {
        return segment.scope().equals(view.scope()) && !segment.isReadOnly();
    }

    /// The position in the table of a block with exactly this address and size, or [BlockTable#NONE].
    private static long find(BlockTable table, long address, long byteSize) {
        long position = table.find(address);
        return position != BlockTable.NONE
                && BlockList.byteSize(table.sizeAndAlignmentAt(position)) == byteSize ? position : BlockTable.NONE;
    }

    static IllegalArgumentException notALiveBlock(MemorySegment segment) {
        return new IllegalArgumentException("Not a live block of this arena: address=0x"
                + Long.toHexString(segment.address()) + ", byteSize=" + segment.byteSize()
                + "; pass a segment exactly as allocate returned it, and only once");
    }
}
