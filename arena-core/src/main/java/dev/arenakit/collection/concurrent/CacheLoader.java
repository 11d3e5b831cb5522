package dev.arenakit.collection.concurrent;

/// Loads the value of a key.
///
/// @param <X> the type of its exceptions
@FunctionalInterface
public interface CacheLoader<X extends Exception> {
    /// Returns the value. For a key without a value, it throws an exception, or returns an array with that meaning.
    ///
    /// @return the value, not null
    /// @throws X if the value cannot be loaded
    byte[] load() throws X;
}
