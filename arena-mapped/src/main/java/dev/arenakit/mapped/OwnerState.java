package dev.arenakit.mapped;

/// The state of an image: what its last owner does with it, or did with it.
public enum OwnerState {
    /// A process on this machine owns the image.
    ALIVE,
    /// The last owner has closed the image.
    CLOSED,
    /// The last owner has ended without closing the image.
    DIED,
    /// The last owner has not closed the image, and the file system has no locks: a process may own the image. It can be
    /// read. Reopening and deleting it are refused, except by an arena that is built [without a
    /// lock][InfiniteArenaBuilder#withoutLock()].
    UNKNOWN
}
