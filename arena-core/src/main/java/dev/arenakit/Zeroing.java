package dev.arenakit;

/// Whether memory that a pool lends reads as zeros.
public enum Zeroing {
    /// Every byte of an allocation is zero, as with the arenas of the JDK.
    ZEROED,
    /// An allocation holds whatever an earlier user of the pool left there.
    NONE
}
