package dev.arenakit.collection.concurrent;

/// Why an entry was removed.
public enum RemovalCause {
    /// A newer entry needed its memory.
    EVICTED,
    /// Its time has passed.
    EXPIRED,
    /// `put` has set another value, or has refused a value that is too large.
    REPLACED,
    /// `remove` or `clear` was called.
    REMOVED
}
