package dev.arenakit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// A [SegmentAllocator] whose blocks can be freed and resized one by one, such as a [MallocArena].
///
/// The lifetime of a freed block ends by contract: the Foreign Function and Memory API cannot end one segment of a
/// scope that is alive. **Do not use the segment of a freed block, or a slice of it:** a later block may have its
/// memory. Each implementation says which of these accesses it detects, and which threads may call it.
///
/// Structures that grow accept any `SegmentAllocator`. With a `BlockAllocator`, they free their old tables, and grow in
/// place where the allocator can.
public interface BlockAllocator extends SegmentAllocator {
    /// Frees a block.
    ///
    /// @param segment a segment exactly as this allocator returned it
    /// @throws IllegalArgumentException if the segment is not a live block of this allocator
    void free(MemorySegment segment);

    /// Resizes a block, which may move. Its alignment, and as many of its bytes as fit, are preserved. Added bytes are
    /// zeroed only if the implementation says so. If this method throws an exception, or an [OutOfMemoryError] for
    /// native memory, the block is unchanged. If a [StackOverflowError] or an OutOfMemoryError of the Java heap
    /// interrupts it, the block may have been freed.
    ///
    /// @param segment     a segment exactly as this allocator returned it
    /// @param newByteSize the new size in bytes
    /// @return the new segment
    /// @throws IllegalArgumentException if the size is negative, or the segment is not a live block of this allocator
    /// @throws OutOfMemoryError         if there is no memory left
    MemorySegment reallocate(MemorySegment segment, long newByteSize);
}
