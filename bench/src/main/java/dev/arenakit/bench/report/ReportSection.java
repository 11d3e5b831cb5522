package dev.arenakit.bench.report;

import dev.arenakit.bench.candidate.Candidates;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The part of a report on one benchmark: a row for each cell. Candidates under the same conditions follow each other.
///
/// @param benchmarkClass name of the benchmark class
/// @param rows           the rows
record ReportSection(String benchmarkClass, List<Row> rows) {
    /// A cell with its figures, how they compare with the baseline, and a note.
    ///
    /// @param cell        the cell
    /// @param candidate   name of the cell's candidate; a look-up by reflection that is done once
    /// @param measurement the measurement; null if there is no figure
    /// @param ratio       how many times faster than the baseline this is; unknown for the baseline, or if there is
    /// none
    /// @param cellNote    the reason why there is no figure, or why not to trust it
    /// @param isBaselineTrusted whether there is no reason not to trust the baseline's figure
    record Row(Cell cell, String candidate, @Nullable Measurement measurement, Ratio ratio,
            @Nullable CellNote cellNote, boolean isBaselineTrusted) {
        private static Row of(Cell cell, @Nullable Measurement measurement, Results results,
                Map<Cell, CellNote> notes) {
            Optional<Measurement> baseline = results.find(cell.baseline()).filter(_ -> !cell.isBaseline());
            return new Row(cell, cell.candidate(), measurement,
                    measurement == null
                            ? Ratio.UNKNOWN
                            : baseline.map(other -> Ratio.of(measurement, other, Metric.TIME)).orElse(Ratio.UNKNOWN),
                    notes.get(cell), baseline.stream().noneMatch(other -> notes.containsKey(other.cell())));
        }

        Optional<Measurement> measured() {
            return Optional.ofNullable(measurement);
        }

        double value(Metric metric) {
            return measurement == null ? Double.NaN : measurement.value(metric);
        }

        String note() {
            return cellNote == null ? "" : cellNote.describe();
        }

        boolean isBaseline() {
            return measurement != null && cell.isBaseline();
        }

        String ratioText() {
            return isBaseline() ? "baseline" : ratio.toString();
        }

        /// Returns whether the comparison with the baseline is uncertain.
        boolean isUncertain() {
            return !Double.isNaN(ratio.estimate()) && (Confidence.isUncertain(ratio) || !isBaselineTrusted);
        }

        /// Returns what the candidate does for its memory; empty if it does not allocate. Candidates that do more are
        /// slower for a reason.
        String memory() {
            return cell.method().equals(Cell.ARENA)
                    // An arena returns segments, which check each access.
                    ? Candidates.lookUp(candidate).map(arena -> traits(arena.isZeroed(), true, true)).orElse("")
                    : ReportFormat.annotation(cell.benchmarkClass(), cell.method(), MemoryTraits.class)
                            .map(memory -> traits(memory.zeroed(), memory.checked(), memory.scoped()))
                            .orElse("");
        }

        private static String traits(boolean zeroed, boolean checked, boolean scoped) {
            String text = Stream.of(zeroed ? "zeroed" : "", checked ? "checked" : "", scoped ? "scoped" : "")
                    .filter(trait -> !trait.isEmpty())
                    .collect(Collectors.joining(", "));
            return text.isEmpty() ? "none" : text;
        }
    }

    /// {@return one section for each benchmark that has results or notes}
    static List<ReportSection> of(Results results, List<CellNote> notes) {
        Map<Cell, CellNote> byCell = new LinkedHashMap<>();
        notes.forEach(note -> byCell.putIfAbsent(note.cell(), note));
        Set<Cell> cells = new LinkedHashSet<>(results.measurements().stream().map(Measurement::cell).toList());
        cells.addAll(byCell.keySet());
        Map<String, Map<Map<String, String>, List<Row>>> sections = new LinkedHashMap<>();
        for (Cell cell : cells) {
            sections.computeIfAbsent(cell.benchmarkClass(), _ -> new LinkedHashMap<>())
                    .computeIfAbsent(cell.conditions(), _ -> new ArrayList<>())
                    .add(Row.of(cell, results.find(cell).orElse(null), results, byCell));
        }
        return sections.entrySet()
                .stream()
                .map(section -> new ReportSection(section.getKey(),
                        section.getValue().values().stream().flatMap(Collection::stream).toList()))
                .toList();
    }

    String title() {
        String label = ReportFormat.benchmark(benchmarkClass);
        return Character.toUpperCase(label.charAt(0)) + label.substring(1);
    }

    String baseline() {
        return ReportFormat.baseline(benchmarkClass);
    }

    /// Returns the id of the section's heading.
    String id() {
        return benchmarkClass.replaceAll("[^A-Za-z0-9]+", "-");
    }

    /// Returns the figures of the section's tables: the figures that all tables have, and others that were measured.
    List<Metric> metrics() {
        return metrics(rows.stream().flatMap(row -> row.measured().stream()).toList());
    }

    static List<Metric> metrics(List<Measurement> measurements) {
        Set<Metric> always = Set.of(Metric.TIME, Metric.CPU, Metric.BYTES);
        return Stream.of(Metric.values())
                .filter(metric -> !metric.heading().isEmpty()
                        && (always.contains(metric) || isMeasured(measurements, metric)))
                .toList();
    }

    static boolean isMeasured(List<Measurement> measurements, Metric metric) {
        return measurements.stream().anyMatch(measurement -> measurement.values(metric).findAny().isPresent());
    }
}
