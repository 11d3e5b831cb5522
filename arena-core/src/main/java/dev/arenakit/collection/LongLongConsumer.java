package dev.arenakit.collection;

/// An action on the entries of a map from longs to longs.
@FunctionalInterface
public interface LongLongConsumer {
    /// Performs the action on an entry.
    ///
    /// @param key   the key of the entry
    /// @param value the value of the entry
    void accept(long key, long value);
}
