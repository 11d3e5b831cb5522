package dev.arenakit;

/// Specifies whether the memory of a pool's arenas is zeroed.
public enum Zeroing {
    /// Every byte of an allocation is zero, as with the arenas of the JDK.
    ZEROED,
    /// An allocation contains whatever an earlier user of the pool has left there.
    NONE
}
