package dev.arenakit.mapped;

import java.util.List;

/// The result of [ImageStructures#repair(String)].
/// Both numbers are 0 if the structure was complete, or open: nothing was repaired.
///
/// @param kept    the number of entries that the structure contains now
/// @param dropped the number of entries that were found and could not be verified; of a tree, the number of entries that
///                are missing from its recorded number. Entries whose pages were never written to the device are not
///                counted
/// @param lost    the damaged pages of a tree, with the ranges of their keys. Entries with other keys were kept.
public record StructureRepair(long kept, long dropped, List<String> lost) {
    /// The result for a structure that was complete, or open.
    public static final StructureRepair NONE = new StructureRepair(0, 0);

    /// Copies the list.
    public StructureRepair {
        lost = List.copyOf(lost);
    }

    /// Creates the result for a structure without damaged pages.
    ///
    /// @param kept    the number of entries that the structure contains now
    /// @param dropped the number of entries that could not be verified
    public StructureRepair(long kept, long dropped) {
        this(kept, dropped, List.of());
    }
}
