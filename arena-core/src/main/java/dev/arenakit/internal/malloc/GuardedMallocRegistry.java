package dev.arenakit.internal.malloc;

import java.lang.foreign.MemorySegment;

/// The registry of the blocks of a shared or a checked `MallocArena`, or of a checked `FreeListArena`. A lock guards
/// the blocks, or each block has a scope of its own.
///
/// The arena has checked its arguments, and that it is open.
public interface GuardedMallocRegistry {
    /// Allocates a block.
    MemorySegment allocate(long byteSize, long byteAlignment, boolean zeroed);

    /// Frees a block.
    void free(MemorySegment segment);

    /// Resizes a block.
    MemorySegment reallocate(MemorySegment segment, long newByteSize);

    /// Ends the scope of the arena, and frees all blocks.
    void close();
}
