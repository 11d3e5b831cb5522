package dev.arenakit;

import java.lang.foreign.MemorySegment;

/// The blocks of a shared or a checked [MallocArena], or of a checked [SlabBlockArena], which are guarded: by a lock,
/// or by a scope for each block.
///
/// The arena has checked the arguments, and that the arena is open.
interface GuardedBlocks {
    /// Allocates a block.
    MemorySegment allocate(long byteSize, long byteAlignment, boolean zeroed);

    /// Frees a block.
    void free(MemorySegment segment);

    /// Resizes a block.
    MemorySegment reallocate(MemorySegment segment, long newByteSize);

    /// Ends the scope of the arena, and frees all blocks.
    void close();
}
