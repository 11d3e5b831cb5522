package dev.arenakit.tool.image;

/// The state of an allocation, and how much of it was written.
///
/// @param state the state
/// @param disk  the size of the allocation, and the size of its written pages
public record AllocationUsage(AllocationState state, DiskUsage disk) {}
