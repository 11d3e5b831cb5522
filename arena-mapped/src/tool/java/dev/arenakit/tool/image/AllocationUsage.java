package dev.arenakit.tool.image;

/// The state of an allocation and its size on disk.
///
/// @param state the state
/// @param disk  the size of the allocation, and of its data on disk
public record AllocationUsage(AllocationState state, DiskUsage disk) {}
