package dev.arenakit.mapped;

import java.time.Instant;

/// A seal of an allocation: the checksums of its bytes at one moment, which the catalog records.
///
/// @param time     the time at which the seal was recorded, in milliseconds
/// @param byteSize the size of the allocation at that time; memory that it has grown by since is not sealed
/// @see ArenaNames#seal
public record Seal(Instant time, long byteSize) {}
