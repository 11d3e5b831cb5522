package dev.arenakit;

import java.util.List;

/// The blocks of an [OffsetAllocator] or a [FreeListArena] at one moment.
///
/// The memory that an allocator holds consists of used slabs, free slabs, and, in an arena, of its own data. Used slabs
/// consist of live blocks and free blocks. A large block has more than 64 KiB. In a segment, it consists of whole
/// slabs; in an arena, the native allocator provides it.
///
/// @param name         the [name][FreeListArena.Builder#name] of the arena, empty if it has none, as an
///                     [OffsetAllocator]
/// @param liveBlocks   the number of blocks that are allocated
/// @param liveByteSize the size of these blocks in bytes: a block counts with the size of its size class, and a large
///                     block with the size of its slabs, or in an arena with its requested size
/// @param usedByteSize the size of the large blocks, and of the slabs that have blocks or are kept for a size class
/// @param heldByteSize the memory of the allocator, used and free; memory of a segment counts from its first use
/// @param sizeClasses  the size classes that have live blocks, the smallest first
public record FreeListStatistics(String name, long liveBlocks, long liveByteSize, long usedByteSize,
        long heldByteSize, List<SizeClass> sizeClasses) {

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
