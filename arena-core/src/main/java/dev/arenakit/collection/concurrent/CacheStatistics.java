package dev.arenakit.collection.concurrent;

/// The counts of a cache since its creation, and its present size.
///
/// @param hits         the number of look-ups with a result
/// @param misses       the number of look-ups without one
/// @param evictions    the number of entries evicted before they expired
/// @param expired      the number of entries removed because they had expired
/// @param tooLarge     the number of values that were not stored because they are too large
/// @param size         the number of entries, including expired ones that have not been removed
/// @param usedByteSize the size of these entries in bytes
/// @param byteSize     the size of the allocated memory in bytes
public record CacheStatistics(long hits, long misses, long evictions, long expired, long tooLarge, long size,
        long usedByteSize, long byteSize) {}
