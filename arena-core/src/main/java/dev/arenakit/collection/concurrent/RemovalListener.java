package dev.arenakit.collection.concurrent;

/// Is told of removed entries.
@FunctionalInterface
public interface RemovalListener {
    /// Takes note of a removed entry. The arrays are copies.
    ///
    /// @param key   the key
    /// @param value the value
    /// @param cause why the entry was removed
    void onRemoval(byte[] key, byte[] value, RemovalCause cause);
}
