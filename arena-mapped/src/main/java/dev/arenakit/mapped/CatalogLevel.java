package dev.arenakit.mapped;

/// How much the catalog of an [InfiniteArena] records of each allocation. An allocation made with a name is recorded in full
/// wherever there is a catalog.
public enum CatalogLevel {
    /// There is no catalog: an [ArenaImage] cannot be opened, nor the arena reopened, and names are refused.
    OFF,
    /// File, offset, size and alignment.
    SIZES,
    /// Also time and thread.
    FULL
}
