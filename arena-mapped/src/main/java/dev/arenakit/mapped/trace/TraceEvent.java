package dev.arenakit.mapped.trace;

/// An event of an allocation trace. An event was recorded after its call had returned.
///
/// @param kind          what has happened
/// @param nanos         the time in nanoseconds since the start of the recording
/// @param thread        the thread's id
/// @param isVirtual     whether the thread was virtual
/// @param arena         the arena's number in the trace
/// @param isShared      whether an opened arena is shared; false for other events
/// @param block         the block's number in the trace, which no other block has; -1 for events of no block
/// @param byteSize      the size of an allocation, or the new size of a block, in bytes; 0 for other events
/// @param byteAlignment the alignment of an allocation in bytes; 1 for other events
public record TraceEvent(Kind kind, long nanos, long thread, boolean isVirtual, long arena, boolean isShared,
        long block,
        long byteSize, long byteAlignment) {
    /// What an event reports.
    public enum Kind {
        /// An arena, or an allocator of blocks, was opened, or its recording began.
        OPEN,
        /// An arena allocated memory that it frees when it is closed.
        ALLOCATE,
        /// An allocator allocated a block, which can be freed and resized.
        ALLOCATE_BLOCK,
        /// A block was resized. It may have moved.
        RESIZE_BLOCK,
        /// A block was freed.
        FREE_BLOCK,
        /// An arena was closed, and with it all of its memory.
        CLOSE
    }
}
