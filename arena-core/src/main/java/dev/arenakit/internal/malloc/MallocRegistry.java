package dev.arenakit.internal.malloc;

import dev.arenakit.MallocArenaStatistics;
import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.Memory;
import dev.arenakit.internal.NotInlined;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The registry of the native blocks of an unchecked `MallocArena`: it allocates, finds, resizes and frees them.
///
/// Not thread-safe: [SharedMallocRegistry] locks around it.
public final class MallocRegistry {
    /*
     * The fields of this object describe one block, so that the only block of an arena has no header before it. Each
     * further block joins a list, in a few nanoseconds. To free or to resize a block of the list, the arena must find
     * it without reading memory that may not be its own: each such call first moves all blocks to a table.
     *
     * C2 keeps the fields of a confined arena and of this object in registers. For this reason, nothing that C2 may
     * choose not to inline is called with one of these two objects during an allocation or a close.
     */
    /// The address of a block without a header, or 0.
    long single;
    long singleSizeAndAlignment;
    /// The address of the newest block of the [list][MallocHeader], or 0.
    long newest;
    /// The other blocks, or null.
    @Nullable
    MallocTable table;

    /// Allocates a block.
    @SuppressWarnings("ShortCircuitBoolean") // For ||, C2 would compile most of this method twice.
    public MemorySegment allocate(AllocatorFunctions allocator, MemorySegment view, long byteSize, long byteAlignment,
            boolean zeroed) {
        boolean hasHeader = single != 0 | byteSize == 0;
        long sizeAndAlignment = MallocHeader.sizeAndAlignment(byteSize, byteAlignment, hasHeader);
        long address = MallocHeader.allocate(allocator, sizeAndAlignment, zeroed) & Memory.ADDRESS_BITS;
        MemorySegment segment;
        try {
            segment = view.asSlice(address, byteSize);
        } catch (Throwable t) {
            MallocHeader.free(allocator, address, sizeAndAlignment);
            throw t;
        }
        if (MallocHeader.hasHeader(sizeAndAlignment)) {
            add(address, sizeAndAlignment);
        } else {
            single = address;
            singleSizeAndAlignment = sizeAndAlignment;
        }
        return segment;
    }

    /// Allocates a block that [#free(AllocatorFunctions, long, long)] frees without memory of its own.
    public MemorySegment allocateIndexed(AllocatorFunctions allocator, MemorySegment view, long byteSize,
            long byteAlignment,
            boolean zeroed) {
        long sizeAndAlignment = MallocHeader.sizeAndAlignmentUnlinked(byteSize, byteAlignment);
        long address = MallocHeader.allocate(allocator, sizeAndAlignment, zeroed);
        try {
            MemorySegment segment = view.asSlice(address, byteSize);
            index(allocator).add(allocator, address, sizeAndAlignment);
            return segment;
        } catch (Throwable t) {
            MallocHeader.free(allocator, address, sizeAndAlignment);
            throw t;
        }
    }

    /// Adds a block that was allocated by [MallocHeader#allocate].
    void add(long address, long sizeAndAlignment) {
        MallocHeader.link(address, newest, sizeAndAlignment);
        newest = address;
    }

    /// Frees a block, which must be a segment of the view's scope.
    public void free(AllocatorFunctions allocator, MemorySegment view, MemorySegment segment) {
        if (!isOurs(view, segment) || !free(allocator, segment.address(), segment.byteSize())) {
            throw notALiveBlock(segment);
        }
    }

    /// Frees a block. Memory is needed for the table, unless all blocks were [indexed][#allocateIndexed].
    ///
    /// @return false if there is no such block
    public boolean free(AllocatorFunctions allocator, long address, long byteSize) {
        if (isSingle(address, byteSize)) {
            single = 0;
            MallocHeader.free(allocator, address, singleSizeAndAlignment);
            return true;
        }
        MallocTable table = index(allocator);
        long position = find(table, address, byteSize);
        if (position == MallocTable.NONE) {
            return false;
        }
        long sizeAndAlignment = table.sizeAndAlignmentAt(position);
        table.remove(allocator, position);
        MallocHeader.free(allocator, address, sizeAndAlignment);
        return true;
    }

    /// Makes a block smaller where it is, if the allocator [can][AllocatorFunctions#canShrinkTo].
    ///
    /// @param newByteSize at most `byteSize`
    /// @return false if the block must move, or if there is no such block
    public boolean shrink(AllocatorFunctions allocator, long address, long byteSize, long newByteSize) {
        MallocTable table = index(allocator);
        long position = find(table, address, byteSize);
        if (position == MallocTable.NONE) {
            return false;
        }
        long before = table.sizeAndAlignmentAt(position);
        long after = MallocHeader.sizeAndAlignmentUnlinked(newByteSize, MallocHeader.byteAlignment(before));
        if (MallocHeader.hasHeader(before) || !allocator.canShrinkTo(MallocHeader.requestedByteSize(after))) {
            return false;
        }
        // In this order: an Error keeps pages mapped that are not needed.
        table.replace(position, address, after);
        allocator.shrink(address, MallocHeader.requestedByteSize(before), MallocHeader.requestedByteSize(after));
        return true;
    }

    /// Adds a block that other code has allocated. If this method throws, nothing has been added.
    public MemorySegment adopt(AllocatorFunctions allocator, MemorySegment view, long address, long byteSize) {
        MallocTable table = index(allocator);
        if (table.find(address) != MallocTable.NONE) {
            throw CBlocks.alreadyABlock(address, byteSize);
        }
        MemorySegment segment = view.asSlice(address, byteSize);
        long sizeAndAlignment = MallocHeader.sizeOfAdopted(byteSize);
        allocator.count(MallocHeader.requestedByteSize(sizeAndAlignment));
        try {
            table.add(allocator, address, sizeAndAlignment);
        } catch (Throwable t) {
            allocator.uncount(MallocHeader.requestedByteSize(sizeAndAlignment));
            throw t;
        }
        // Nothing that can fail comes after the addition: whoever gets an exception still has the block.
        return segment;
    }

    /// Returns the segment of the block at an address.
    public MemorySegment blockAt(AllocatorFunctions allocator, MemorySegment view, long address) {
        if (address == single && address != 0) {
            return view.asSlice(address, MallocHeader.byteSize(singleSizeAndAlignment));
        }
        MallocTable table = index(allocator);
        long position = table.find(address);
        if (position == MallocTable.NONE) {
            throw notALiveBlock(address);
        }
        return view.asSlice(address, MallocHeader.byteSize(table.sizeAndAlignmentAt(position)));
    }

    /// Removes a block without freeing it.
    ///
    /// @return the native block, from its first byte, with the size of the block
    public MemorySegment release(AllocatorFunctions allocator, MemorySegment view, MemorySegment segment) {
        if (!isOurs(view, segment)) {
            throw notALiveBlock(segment);
        }
        long address = segment.address();
        long byteSize = segment.byteSize();
        if (isSingle(address, byteSize)) {
            allocator.checkReleasable(MallocHeader.nativeByteAlignment(singleSizeAndAlignment));
            MemorySegment released = Memory.segment(address, byteSize);
            single = 0;
            allocator.uncount(MallocHeader.requestedByteSize(singleSizeAndAlignment));
            return released;
        }
        MallocTable table = index(allocator);
        long position = find(table, address, byteSize);
        if (position == MallocTable.NONE) {
            throw notALiveBlock(segment);
        }
        long sizeAndAlignment = table.sizeAndAlignmentAt(position);
        allocator.checkReleasable(MallocHeader.nativeByteAlignment(sizeAndAlignment));
        MemorySegment released = Memory.segment(MallocHeader.start(address, sizeAndAlignment), byteSize);
        table.remove(allocator, position);
        allocator.uncount(MallocHeader.requestedByteSize(sizeAndAlignment));
        return released;
    }

    /// Resizes a block.
    public MemorySegment reallocate(AllocatorFunctions allocator, MemorySegment view, MemorySegment segment,
            long newByteSize) {
        long newSizeAndAlignment = resized(allocator, view, segment, newByteSize);
        MemorySegment moved = copy(allocator, view, segment, newByteSize, newSizeAndAlignment);
        replace(allocator, segment, moved, newSizeAndAlignment);
        return moved;
    }

    /// The size and the alignment of a live block after it has been resized.
    long resized(AllocatorFunctions allocator, MemorySegment view, MemorySegment segment, long newByteSize) {
        long byteAlignment = isOurs(view, segment)
                ? byteAlignment(allocator, segment.address(), segment.byteSize())
                : 0;
        if (byteAlignment == 0) {
            throw notALiveBlock(segment);
        }
        Sizes.checkAddressable(newByteSize, byteAlignment);
        return MallocHeader.sizeAndAlignmentUnlinked(newByteSize, byteAlignment);
    }

    /// Copies a block to a new one, which is not in the registry yet. Several threads may do so at the same time.
    static MemorySegment copy(AllocatorFunctions allocator, MemorySegment view, MemorySegment segment,
            long newByteSize, long newSizeAndAlignment) {
        // Not by realloc: if there were no heap memory for the new segment after realloc has moved the block, the old
        // segment would have no memory.
        long address = MallocHeader.allocate(allocator, newSizeAndAlignment, false);
        try {
            MemorySegment moved = view.asSlice(address, newByteSize);
            MemorySegment.copy(segment, 0, moved, 0, Math.min(segment.byteSize(), newByteSize));
            return moved;
        } catch (Throwable t) {
            MallocHeader.free(allocator, address, newSizeAndAlignment);
            throw t;
        }
    }

    /// Frees a block, and adds another one instead, for which no memory is needed.
    ///
    /// @return false if there is no such block
    boolean replace(AllocatorFunctions allocator, MemorySegment segment, MemorySegment moved,
            long newSizeAndAlignment) {
        MallocTable table = index(allocator);
        long position = find(table, segment.address(), segment.byteSize());
        if (position == MallocTable.NONE) {
            return false;
        }
        long sizeAndAlignment = table.sizeAndAlignmentAt(position);
        table.replace(position, moved.address(), newSizeAndAlignment);
        MallocHeader.free(allocator, segment.address(), sizeAndAlignment);
        return true;
    }

    /// The alignment of a live block, or 0 if there is no such block.
    public long byteAlignment(AllocatorFunctions allocator, long address, long byteSize) {
        MallocTable table = index(allocator);
        long position = find(table, address, byteSize);
        return position == MallocTable.NONE ? 0 : MallocHeader.byteAlignment(table.sizeAndAlignmentAt(position));
    }

    /// Counts all blocks. The scope of the arena is alive.
    ///
    /// @param name the name of the arena
    public MallocArenaStatistics stats(String name) {
        MallocCounts counts = new MallocCounts();
        if (single != 0) {
            counts.add(singleSizeAndAlignment);
        }
        for (long address = newest; address != 0; address = MallocHeader.previous(address)) {
            counts.add(MallocHeader.sizeAndAlignment(address));
        }
        if (table != null) {
            table.addTo(counts);
        }
        return counts.statistics(name);
    }

    /// Frees all blocks.
    public void freeAll(AllocatorFunctions allocator) {
        long address = single;
        long list = newest;
        // First, so that no block is freed twice if this method fails.
        single = 0;
        newest = 0;
        freeAll(allocator, address, singleSizeAndAlignment, list, table);
    }

    /// Frees all blocks of a registry that is not used any more.
    static void freeAll(AllocatorFunctions allocator, long single, long singleSizeAndAlignment, long newest,
            @Nullable MallocTable table) {
        if (single != 0) {
            MallocHeader.free(allocator, single, singleSizeAndAlignment);
        }
        if (newest != 0 || table != null) {
            MallocHeader.freeAll(NotInlined.CALLS, allocator, newest, table);
        }
    }

    /// Moves all blocks to the table.
    private MallocTable index(AllocatorFunctions allocator) {
        MallocTable table = table();
        if (single != 0) {
            table.add(allocator, single, singleSizeAndAlignment);
            single = 0;
        }
        while (newest != 0) {
            long previous = MallocHeader.previous(newest);
            table.add(allocator, newest, MallocHeader.sizeAndAlignment(newest));
            newest = previous;
        }
        return table;
    }

    private MallocTable table() {
        MallocTable existing = table;
        if (existing != null) {
            return existing;
        }
        MallocTable created = new MallocTable();
        table = created;
        return created;
    }

    /// Whether the block without a header has exactly this address and size.
    private boolean isSingle(long address, long byteSize) {
        return address == single && address != 0 && byteSize == MallocHeader.byteSize(singleSizeAndAlignment);
    }

    private static boolean isOurs(MemorySegment view, MemorySegment segment) {
        return segment.scope().equals(view.scope()) && !segment.isReadOnly();
    }

    /// The position in the table of a block with exactly this address and size, or [MallocTable#NONE].
    private static long find(MallocTable table, long address, long byteSize) {
        long position = table.find(address);
        return position != MallocTable.NONE
                && MallocHeader.byteSize(table.sizeAndAlignmentAt(position)) == byteSize ? position : MallocTable.NONE;
    }

    /// The registry of the blocks of a shared or a checked `MallocArena`, or of a checked `FreeListArena`. A lock
    /// guards the blocks, or each block has a scope of its own.
    ///
    /// The arena has checked its arguments, and called [#checkOpen()].
    public interface Guarded {
        /// Checks the scope of the arena, as [Scopes#checkOpen] does.
        void checkOpen();

        /// Allocates a block.
        MemorySegment allocate(long byteSize, long byteAlignment, boolean zeroed);

        /// Frees a block.
        void free(MemorySegment segment);

        /// Resizes a block.
        MemorySegment reallocate(MemorySegment segment, long newByteSize);

        /// Returns the segment of the block at an address.
        MemorySegment blockAt(long address);

        /// Adds a block that other code has allocated. If this method throws, nothing has been added.
        MemorySegment adopt(long address, long byteSize);

        /// Removes a block without freeing it, and returns its native block, from its first byte, with its size.
        MemorySegment release(MemorySegment segment);

        /// Counts all blocks.
        ///
        /// @param name the name of the arena
        MallocArenaStatistics stats(String name);

        /// Ends the scope of the arena, and frees all blocks.
        void close();
    }

    /// The exception of an arena whose index of blocks is no longer right.
    static IllegalStateException interrupted() {
        return new IllegalStateException("A StackOverflowError or an OutOfMemoryError has interrupted a change of the "
                + "index of blocks: no block can be freed or resized any more; close the arena");
    }

    /// The exception of an address where no block begins.
    public static IllegalArgumentException notALiveBlock(long address) {
        return new IllegalArgumentException("Not a live block of this arena: address=0x" + Long.toHexString(address)
                + "; pass the address of a segment that allocate returned, and only once");
    }

    /// The exception of a segment that is no block, or whose scope shows that its block was freed.
    public static IllegalArgumentException notALiveBlock(MemorySegment segment) {
        return new IllegalArgumentException("Not a live block of this arena"
                + (segment.scope().isAlive() ? "" : ", because it was freed") + ": address=0x"
                + Long.toHexString(segment.address()) + ", byteSize=" + segment.byteSize()
                + "; pass a segment exactly as allocate returned it, and only once");
    }
}
