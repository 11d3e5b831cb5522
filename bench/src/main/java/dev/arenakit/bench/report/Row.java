package dev.arenakit.bench.report;

import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A cell as it is shown: its figures, what they are compared with, and what there is to be said.
///
/// @param cell        who answered what
/// @param contestant  the cell's, found once
/// @param measurement absent where there is no figure
/// @param baseline    what was measured of the baseline under the same conditions
/// @param missing     why there is no figure, or why not to trust it
record Row(Cell cell, String contestant, @Nullable Measurement measurement, @Nullable Measurement baseline,
        @Nullable Missing missing) {
    /// The spread from which on a ratio says little.
    static final double NOISE = 0.3;

    Optional<Measurement> measured() {
        return Optional.ofNullable(measurement);
    }

    Optional<String> note() {
        return Optional.ofNullable(missing).map(Missing::describe);
    }

    boolean isBaseline() {
        return measurement != null && cell.isBaseline();
    }

    /// Whether there is another contestant to compare with.
    boolean isCompared() {
        return opponent().isPresent();
    }

    private Optional<Measurement> opponent() {
        return measurement == null || cell.isBaseline() ? Optional.empty() : Optional.ofNullable(baseline);
    }

    /// How many times faster than the baseline, NaN for the baseline and where there is none.
    double ratio() {
        return measured().flatMap(own -> opponent().map(own::timesFasterThan)).orElse(Double.NaN);
    }

    /// The same by CPU time.
    double cpuRatio() {
        return measured().flatMap(own -> opponent().map(own::timesLessCpuThan)).orElse(Double.NaN);
    }

    String ratioText() {
        return isBaseline() ? "baseline" : Labels.ratio(ratio());
    }

    String rangeText() {
        return measured().map(m -> Labels.number(m.fastest()) + ".." + Labels.number(m.slowest())).orElse("-");
    }

    /// Whether the forks of either side lie too far apart for the ratio to say much.
    boolean isNoisy() {
        return Stream.of(measured(), opponent())
                .flatMap(Optional::stream)
                .anyMatch(side -> side.spread() > NOISE);
    }
}
