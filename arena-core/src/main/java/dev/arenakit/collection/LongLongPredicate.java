package dev.arenakit.collection;

/// A condition on the entries of a map from longs to longs.
@FunctionalInterface
public interface LongLongPredicate {
    /// Returns whether an entry meets the condition.
    ///
    /// @param key   the key of the entry
    /// @param value the value of the entry
    /// @return whether the entry meets the condition
    boolean test(long key, long value);
}
