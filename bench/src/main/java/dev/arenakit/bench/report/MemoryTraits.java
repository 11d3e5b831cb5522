package dev.arenakit.bench.report;

import dev.arenakit.bench.candidate.Candidates;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The traits of the memory that a candidate allocates. Candidates that do more for their memory are slower for a
/// reason.
///
/// @param zeroed  whether allocated memory reads as zeros
/// @param checked whether an access outside the bounds of a block fails
/// @param scoped  whether an access after the end of a block's lifetime fails
record MemoryTraits(boolean zeroed, boolean checked, boolean scoped) {
    /// Returns the traits of a cell's candidate; empty if it does not allocate, or is not on the class path.
    static Optional<MemoryTraits> of(Cell cell) {
        return cell.method().equals(Cell.ARENA)
                // An arena returns segments, which check each access.
                ? Candidates.lookUp(cell.candidate())
                        .map(provider -> new MemoryTraits(provider.isZeroed(), true, true))
                : ReportFormat.annotation(cell.benchmarkClass(), cell.method(), Memory.class)
                        .map(memory -> new MemoryTraits(memory.zeroed(), memory.checked(), memory.scoped()));
    }

    @Override
    public String toString() {
        String text = Stream.of(zeroed ? "zeroed" : "", checked ? "checked" : "", scoped ? "scoped" : "")
                .filter(trait -> !trait.isEmpty())
                .collect(Collectors.joining(", "));
        return text.isEmpty() ? "none" : text;
    }
}
