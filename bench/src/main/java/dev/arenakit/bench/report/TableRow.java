package dev.arenakit.bench.report;

import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A cell in a table of a report: its figures, its baseline, and a note.
///
/// @param cell         the cell
/// @param candidate    name of the cell's candidate; a look-up by reflection that is done once
/// @param measurement  the measurement; null if there is no figure
/// @param baseline     the measurement of the baseline under the same conditions
/// @param noteOnFigure why there is no figure, or why not to trust it
record TableRow(Cell cell, String candidate, @Nullable Measurement measurement, @Nullable Measurement baseline,
        @Nullable CellNote noteOnFigure) {
    /// With a spread above this part of the median, a ratio is uncertain.
    static final double NOISE = 0.3;

    Optional<Measurement> measured() {
        return Optional.ofNullable(measurement);
    }

    Optional<String> note() {
        return Optional.ofNullable(noteOnFigure).map(CellNote::describe);
    }

    boolean isBaseline() {
        return measurement != null && cell.isBaseline();
    }

    /// Returns whether there is another candidate to compare with.
    boolean isCompared() {
        return opponent().isPresent();
    }

    private Optional<Measurement> opponent() {
        return measurement == null || cell.isBaseline() ? Optional.empty() : Optional.ofNullable(baseline);
    }

    /// Returns how many times faster than the baseline this is; NaN for the baseline, or if there is none.
    double ratio() {
        return measured().flatMap(own -> opponent().map(own::timesFasterThan)).orElse(Double.NaN);
    }

    /// Returns the same ratio of CPU times.
    double cpuRatio() {
        return measured().flatMap(own -> opponent().map(own::timesLessCpuThan)).orElse(Double.NaN);
    }

    String ratioText() {
        return isBaseline() ? "baseline" : ReportFormat.ratio(ratio());
    }

    String rangeText() {
        return measured().map(m -> ReportFormat.number(m.fastest()) + ".." + ReportFormat.number(m.slowest()))
                .orElse("-");
    }

    /// Returns whether the forks of the candidate or of the baseline are too far apart for a certain ratio.
    boolean isNoisy() {
        return Stream.of(measured(), opponent())
                .flatMap(Optional::stream)
                .anyMatch(side -> side.spread() > NOISE);
    }
}
