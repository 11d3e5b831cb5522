package dev.arenakit.bench.candidate.stored;

/// A map from longs to longs that survives the end of the process. A structure in memory implements it for comparison.
public interface StoredLongMap extends AutoCloseable {
    /// The result of a search for a key that is missing. It is the value of no entry.
    long MISSING = -1;

    /// The number of entries that [#putAll] adds between two commits.
    int PUTS_BETWEEN_COMMITS = 10_000;

    /// Returns the value of a key, or [#MISSING].
    long get(long key);

    /// Adds an entry, or replaces its value. The change is visible at once, and may get lost until the next commit.
    void put(long key, long value);

    /// Removes an entry.
    ///
    /// @return whether it was present
    boolean remove(long key);

    /// Visits all entries.
    ///
    /// @return the sum of the values
    long sum();

    /// Makes all changes as lasting as the library usually does. A store whose changes last at once does nothing.
    void commit();

    /// Adds many entries, and commits them. The value of a key is its upper 63 bits.
    ///
    /// @param keys the keys
    /// @param from index of the first key
    /// @param to   index of the last key, exclusive
    default void putAll(long[] keys, int from, int to) {
        for (int i = from; i < to; i++) {
            put(keys[i], keys[i] >>> 1);
            if ((i - from) % PUTS_BETWEEN_COMMITS == PUTS_BETWEEN_COMMITS - 1) {
                commit();
            }
        }
        commit();
    }

    /// Closes the store cleanly. Changes that are not committed may get lost.
    @Override
    void close();
}
