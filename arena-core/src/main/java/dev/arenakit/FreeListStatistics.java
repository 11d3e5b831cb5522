package dev.arenakit;

import java.util.List;

/// The blocks of a [OffsetAllocator] or a [FreeListArena] at one moment.
///
/// The memory that an allocator holds consists of used slabs, free slabs, and, in an arena, of its own data. Used slabs
/// consist of live blocks and free blocks. A large block, above 64 KiB, consists of whole slabs in a segment, and is a
/// block of the native allocator in an arena.
///
/// @param liveBlocks   the number of blocks that are allocated
/// @param liveByteSize the size of these blocks in bytes: each counts with the size of its size class, and a large one
///                     with that of its slabs, or as requested in an arena
/// @param usedByteSize the size of the slabs that have blocks, or are kept for a size class, and of large blocks
/// @param heldByteSize the memory of the allocator, used and free, for a segment without what has never been used
/// @param sizeClasses  the size classes that have live blocks, the smallest first
public record FreeListStatistics(long liveBlocks, long liveByteSize, long usedByteSize, long heldByteSize,
        List<SizeClass> sizeClasses) {

    /// The live blocks of one size class.
    ///
    /// @param blockByteSize the size of a block in bytes
    /// @param liveBlocks    the number of blocks that are allocated
    public record SizeClass(long blockByteSize, long liveBlocks) {}

    /// Copies the list.
    public FreeListStatistics {
        sizeClasses = List.copyOf(sizeClasses);
    }

    /// {@return the part of the used slabs that is not in live blocks, from 0 to 1}
    public double fragmentation() {
        return usedByteSize == 0 ? 0 : 1 - (double) liveByteSize / usedByteSize;
    }
}
