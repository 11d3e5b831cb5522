package dev.arenakit.mapped;

/// The allocations of an image that [ArenaImage#check] has checked, freed ones included.
///
/// @param count    the number of allocations whose records can be read
/// @param byteSize the sum of their sizes, at most [Long#MAX_VALUE]
/// @param hasSeals whether the catalog contains parts of seals, which [ArenaImage#seal] reads
public record CheckedAllocations(long count, long byteSize, boolean hasSeals) {}
