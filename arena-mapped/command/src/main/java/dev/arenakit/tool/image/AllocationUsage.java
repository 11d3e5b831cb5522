package dev.arenakit.tool.image;

/// The state of an allocation, and how much of it was written.
///
/// @param state the state
/// @param disk  the size of the allocation, and of the pages of it that were written
public record AllocationUsage(AllocationState state, DiskUsage disk) {}
