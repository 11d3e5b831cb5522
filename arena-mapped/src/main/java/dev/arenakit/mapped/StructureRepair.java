package dev.arenakit.mapped;

/// The result of [InfiniteArena#repairStructure(String)].
/// Both numbers are 0 if the structure was complete, or open: nothing was repaired.
///
/// @param kept    the number of entries that the structure contains now
/// @param dropped the number of entries that were found and could not be verified; entries whose pages were never
///                written to the device are not counted
public record StructureRepair(long kept, long dropped) {}
