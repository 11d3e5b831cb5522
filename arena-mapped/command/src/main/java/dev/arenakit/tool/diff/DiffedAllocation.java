package dev.arenakit.tool.diff;

/// An allocation with a difference.
///
/// @param label    the label of the allocation
/// @param type     its type
/// @param byteSize its size
record DiffedAllocation(String label, ComparedType type, long byteSize) {}
