package dev.arenakit;

/// What a [SlabPool] holds at one moment, in bytes of native memory.
///
/// @param openArenas how many arenas are open; one that a thread left open when it ended counts for good
/// @param lentBytes  what open arenas have: whole slabs, and the blocks of large allocations
/// @param keptBytes  what the pool keeps for arenas to come, in whole slabs
/// @param maxBytes   the limit for the sum of both, [Long#MAX_VALUE] when there is none
public record SlabPoolStatistics(long openArenas, long lentBytes, long keptBytes, long maxBytes) {}
