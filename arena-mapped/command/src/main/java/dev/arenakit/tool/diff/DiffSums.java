package dev.arenakit.tool.diff;

/// The numbers of allocations.
///
/// @param changed those with differences
/// @param gone    those that only the first image has
/// @param added   those that only the second image has
/// @param same    those without a difference
record DiffSums(long changed, long gone, long added, long same) {
    /// Whether anything differs.
    boolean isDifferent() {
        return changed + gone + added > 0;
    }
}
