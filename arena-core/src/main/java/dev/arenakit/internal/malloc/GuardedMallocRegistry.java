package dev.arenakit.internal.malloc;

import java.lang.foreign.MemorySegment;

/// The blocks of a shared or a checked `MallocArena`, or of a checked `FreeListArena`, which are guarded: by a lock,
/// or by a scope for each block.
///
/// The arena has checked the arguments, and that the arena is open.
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
