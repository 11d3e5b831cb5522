package dev.arenakit;

/// The part of a pool's statistics that says what it holds at this moment.
public record PoolUse(long openArenas, long usedByteSize, long idleByteSize, long maxByteSize) {
    public static PoolUse of(SlabPool pool) {
        SlabPoolStatistics stats = pool.stats();
        return new PoolUse(stats.openArenas(), stats.usedByteSize(), stats.idleByteSize(), stats.maxByteSize());
    }
}
