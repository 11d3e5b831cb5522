package dev.arenakit.mapped;

/// Whether an image has an owner now.
public enum OwnerState {
    /// A process on this machine owns the image.
    ALIVE,
    /// No process on this machine owns the image.
    NONE,
    /// The file system has no locks: a process may own the image. It can be read. Reopening and deleting it are
    /// refused, except by an arena that is built [without a lock][InfiniteArena.Builder#withoutLock()].
    UNKNOWN
}
