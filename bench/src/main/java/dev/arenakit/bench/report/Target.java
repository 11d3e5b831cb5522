package dev.arenakit.bench.report;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// A target for the speed of a candidate.
///
/// @param cell          cell of the candidate
/// @param opponent      the cell to compare with
/// @param timesFaster   how many times faster it has to be; NaN if it is only measured
/// @param garbageFree   whether an operation must not leave garbage on the heap
/// @param jdks          the JDKs that it is asked of
public record Target(Cell cell, Cell opponent, double timesFaster, boolean garbageFree, JdkGeneration jdks) {
    /// Creates a target for every JDK.
    ///
    /// @param cell        cell of the candidate
    /// @param opponent    the cell to compare with
    /// @param timesFaster how many times faster it has to be; NaN if it is only measured
    /// @param garbageFree whether an operation must not leave garbage on the heap
    public Target(Cell cell, Cell opponent, double timesFaster, boolean garbageFree) {
        this(cell, opponent, timesFaster, garbageFree, JdkGeneration.ANY);
    }

    /// {@return whether the JDK that measures the candidate is one that the target is asked of}
    ///
    /// @param results the measurements
    public boolean isAsked(Results results) {
        return jdks.contains(results.jdk());
    }

    /// Compares targets with measurements. A verdict follows the estimate of the ratio. It is uncertain if the interval
    /// of the ratio contains the target or is unknown, and it says if one of the two measurements is not steady.
    ///
    /// @param targets the targets
    /// @param results the measurements
    /// @return a table with one row per target
    public static String table(Iterable<Target> targets, Results results) {
        TextTable table = new TextTable("benchmark", "params", "candidate", "against", ">target", ">measured",
                ">by CPU time", ">B/op", "verdict");
        Set<Cell> unsteady = results.measurements()
                .stream()
                .flatMap(measurement -> Confidence.noteIfUnsteady(measurement).stream())
                .map(CellNote::cell)
                .collect(Collectors.toSet());
        for (Target target : targets) {
            Cell cell = target.cell;
            Optional<Measurement> own = results.find(cell);
            Optional<Measurement> other = results.find(target.opponent);
            boolean measured = own.isPresent() && other.isPresent();
            Ratio ratio = measured ? Ratio.of(own.get(), other.get(), Metric.TIME) : Ratio.UNKNOWN;
            table.add(ReportFormat.benchmark(cell.benchmarkClass()), ReportFormat.params(cell.conditions()),
                    cell.candidate(), against(cell, target.opponent),
                    ReportFormat.speed(target.timesFaster),
                    ratio.toString(),
                    measured ? Ratio.of(own.get(), other.get(), Metric.CPU).text() : "-",
                    own.map(measurement -> Metric.BYTES.text(measurement.value(Metric.BYTES))).orElse("-"),
                    measured
                            ? target.verdict(own.get(), ratio)
                                    + (unsteady.contains(cell) || unsteady.contains(target.opponent)
                                            ? ", not steady"
                                            : "")
                            : "not measured");
        }
        return table.toString();
    }

    /// {@return whether the target is met; empty if it was not measured, or is only measured}
    Optional<Boolean> isMet(Results results) {
        return results.find(cell)
                .flatMap(own -> results.find(opponent).map(other -> Ratio.of(own, other, Metric.TIME).estimate()))
                .filter(ratio -> !Double.isNaN(ratio / timesFaster))
                .map(ratio -> ratio >= timesFaster);
    }

    /// Returns the opponent's name, with its benchmark or the conditions that differ.
    private static String against(Cell cell, Cell opponent) {
        if (cell.isComparableWith(opponent)) {
            return opponent.candidate();
        }
        Map<String, String> others = opponent.conditions();
        others.entrySet().removeAll(cell.conditions().entrySet());
        return opponent.candidate() + ", " + (cell.benchmarkClass().equals(opponent.benchmarkClass())
                ? ReportFormat.params(others)
                : ReportFormat.benchmark(opponent.benchmarkClass()));
    }

    private String verdict(Measurement own, Ratio ratio) {
        double reached = ratio.estimate() / timesFaster;
        String speed = Double.isNaN(timesFaster)
                ? "measured"
                : (reached >= 1 ? "met" : String.format(Locale.ROOT, "missed by %.0f %%", 100 * (1 - reached)))
                        + (Confidence.isUncertain(ratio, timesFaster) ? ", uncertain" : "");
        return garbageFree && !(own.value(Metric.BYTES) < own.leastBytes()) ? speed + ", leaves garbage" : speed;
    }
}
