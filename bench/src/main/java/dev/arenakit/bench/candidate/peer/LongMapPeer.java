package dev.arenakit.bench.candidate.peer;

/// A map from longs to longs, of this library or of another one.
public interface LongMapPeer extends AutoCloseable {
    /// The result of a search for a key that is missing.
    long MISSING = -1;

    /// Returns the value of a key, or [#MISSING].
    long get(long key);

    /// Adds an entry, or replaces its value.
    void put(long key, long value);

    /// Adds a number to the value of a key.
    void addTo(long key, long delta);

    /// Returns the sum of all values.
    long sum();

    /// Releases its memory.
    @Override
    void close();
}
