package dev.arenakit.mapped.trace;

import java.util.List;

/// What a trace says about a program.
///
/// @param events              the number of events
/// @param arenas              the number of arenas that were opened
/// @param openArenas          the number of arenas that were not closed at the end
/// @param mostOpenArenas      the largest number of arenas that were open at a time
/// @param sharedArenas        the number of arenas that all threads could use
/// @param allocations         the number of allocations, blocks included
/// @param blocks              the number of blocks that could be freed one by one
/// @param resizes             the number of resized blocks
/// @param byteSize            the size of all allocations in bytes
/// @param peakByteSize        the largest size of all live allocations at a time, in bytes
/// @param peakNanos           the time at which that was, in nanoseconds since the start
/// @param endByteSize         the size of the allocations that were live at the end, in bytes
/// @param nanos               the time of the last event in nanoseconds since the start
/// @param platformThreads     the number of platform threads
/// @param virtualThreads      the number of virtual threads
/// @param freedByOthers       the number of allocations that were freed by another thread than their own
/// @param outlivingThreads    the number of allocations that were freed after the last event of their thread
/// @param allocationsOfArenas the closed arenas by the number of their allocations; the key of a class is the smallest
///                            number, a power of two or 0
/// @param byteSizesOfArenas   the closed arenas by the size of all their allocations in bytes, in the same classes
/// @param cells               the allocations by size and by lifetime
/// @param timeline            the live bytes over time, at most 512 points
public record TraceSummary(long events, long arenas, long openArenas, long mostOpenArenas, long sharedArenas,
        long allocations, long blocks, long resizes, long byteSize, long peakByteSize, long peakNanos, long endByteSize,
        long nanos, long platformThreads, long virtualThreads, long freedByOthers, long outlivingThreads,
        List<Group> allocationsOfArenas, List<Group> byteSizesOfArenas, List<Cell> cells, List<Point> timeline) {
    /// Some arenas.
    ///
    /// @param atLeast the smallest number of allocations or of bytes, a power of two or 0
    /// @param arenas  the number of arenas
    public record Group(long atLeast, long arenas) {}

    /// Allocations of similar sizes and lifetimes.
    ///
    /// @param byteSize    the smallest size in bytes, a power of two or 0
    /// @param nanos       the shortest lifetime in nanoseconds, a power of two or 0; -1 for allocations that were live
    ///                    at the end
    /// @param allocations the number of allocations
    /// @param bytes       the sum of their sizes
    public record Cell(long byteSize, long nanos, long allocations, long bytes) {}

    /// The live bytes of a part of the time.
    ///
    /// @param nanos    the end of the part in nanoseconds since the start
    /// @param byteSize the largest size of all live allocations in that part, in bytes
    public record Point(long nanos, long byteSize) {}

    /// Makes copies of the lists.
    public TraceSummary {
        allocationsOfArenas = List.copyOf(allocationsOfArenas);
        byteSizesOfArenas = List.copyOf(byteSizesOfArenas);
        cells = List.copyOf(cells);
        timeline = List.copyOf(timeline);
    }
}
