package dev.arenakit.bench.candidate.stored;

/// A map from longs to longs that survives the end of the process, and is ordered by its keys.
public interface StoredTree extends StoredLongMap {
    /// Visits some entries in the order of their keys.
    ///
    /// @param first the smallest key that is visited
    /// @param limit the largest number of entries that are visited
    /// @return the sum of their values
    long scan(long first, int limit);
}
