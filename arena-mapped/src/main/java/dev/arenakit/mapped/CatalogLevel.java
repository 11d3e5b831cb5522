package dev.arenakit.mapped;

/// Specifies how much the catalog of an [InfiniteArena] records of each allocation. An allocation with a name is
/// recorded in full if there is a catalog.
public enum CatalogLevel {
    /// The arena has no catalog. It cannot be read as an [ArenaImage] or reopened, and refuses names.
    OFF,
    /// The catalog records file, offset, size and alignment.
    SIZES,
    /// The catalog also records time and thread. Small allocations in chunks are recorded in runs of a thread, and have
    /// the time at which their run began.
    FULL
}
