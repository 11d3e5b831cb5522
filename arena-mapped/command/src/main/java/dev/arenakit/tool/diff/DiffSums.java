package dev.arenakit.tool.diff;

/// The numbers of allocations.
///
/// @param changed the allocations with differences
/// @param gone    the allocations that only the first image has
/// @param added   the allocations that only the second image has
/// @param same    the allocations without a difference
record DiffSums(long changed, long gone, long added, long same) {
    /// Whether anything differs.
    boolean isDifferent() {
        return changed + gone + added > 0;
    }
}
