package dev.arenakit.bench.report;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A cell in a table of a report: its figures, how they compare with the baseline, and a note.
///
/// @param cell         the cell
/// @param candidate    name of the cell's candidate; a look-up by reflection that is done once
/// @param measurement  the measurement; null if there is no figure
/// @param hasBaseline  whether there is a measurement of the baseline under the same conditions
/// @param ratio        how many times faster than the baseline this is; unknown for the baseline, or if there is none
/// @param cpuRatio     the same ratio of CPU times
/// @param noteOnFigure the reason why there is no figure, or why not to trust it
record TableRow(Cell cell, String candidate, @Nullable Measurement measurement, boolean hasBaseline, Ratio ratio,
        Ratio cpuRatio, @Nullable CellNote noteOnFigure) {
    static TableRow of(Cell cell, @Nullable Measurement measurement, @Nullable Measurement baseline,
            @Nullable CellNote note) {
        boolean hasBaseline = baseline != null;
        return measurement == null || baseline == null || cell.isBaseline()
                ? new TableRow(cell, cell.candidate(), measurement, hasBaseline, Ratio.UNKNOWN, Ratio.UNKNOWN, note)
                : new TableRow(cell, cell.candidate(), measurement, hasBaseline, measurement.timesFasterThan(baseline),
                        measurement.timesLessCpuThan(baseline), note);
    }

    Optional<Measurement> measured() {
        return Optional.ofNullable(measurement);
    }

    /// Returns the traits of the candidate's memory; empty if it does not allocate.
    String memory() {
        return MemoryTraits.of(cell).map(MemoryTraits::toString).orElse("");
    }

    Optional<String> note() {
        return Optional.ofNullable(noteOnFigure).map(CellNote::describe);
    }

    boolean isBaseline() {
        return measurement != null && cell.isBaseline();
    }

    /// Returns whether there is another candidate to compare with.
    boolean isCompared() {
        return hasBaseline && measurement != null && !cell.isBaseline();
    }

    String ratioText() {
        return isBaseline() ? "baseline" : ratio.toString();
    }

    String rangeText() {
        return measured().map(Column::range).orElse("-");
    }

    /// Returns whether the comparison with the baseline is uncertain.
    boolean isUncertain() {
        return isCompared() && ratio.isUncertain();
    }
}
