package dev.arenakit;

/// The native memory of a [SlabPool] at one moment, in bytes.
///
/// @param openArenas   the number of open arenas; an arena left open by a terminated thread counts forever
/// @param usedByteSize the memory of open arenas: whole slabs, and the blocks of large allocations
/// @param idleByteSize the memory that the pool holds for future arenas, in whole slabs
/// @param maxByteSize  the limit for the sum of both, [Long#MAX_VALUE] if there is none
public record SlabPoolStatistics(long openArenas, long usedByteSize, long idleByteSize, long maxByteSize) {}
