package dev.arenakit.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The part of a report on one benchmark: groups of candidates under the same conditions, each with a figure per
/// variant.
///
/// Variants are shown side by side instead of one below the other. They are the values of the parameter [#WRITTEN]; a
/// benchmark without that parameter has one variant without a name.
///
/// @param benchmarkClass name of the benchmark class
/// @param baseline       the candidate that the others are compared with
/// @param variants       values of [#WRITTEN], or one empty string
/// @param groups         the groups in the order in which they were measured
record ReportSection(String benchmarkClass, String baseline, List<String> variants, List<Group> groups) {
    static final String WRITTEN = "written";

    /// Candidates under the same conditions.
    ///
    /// @param conditions the conditions without the variant
    record Group(Map<String, String> conditions, List<Line> lines) {}

    /// A candidate under some conditions.
    ///
    /// @param rows one per variant; empty if the suite does not have the cell
    record Line(String candidate, List<Optional<TableRow>> rows) {
        /// Returns the text of a column whose text is the same for all variants.
        String text(Column column) {
            return rows.stream().flatMap(Optional::stream).findFirst().map(column.text()).orElse("");
        }
    }

    /// {@return one section for each benchmark that has results or notes}
    static List<ReportSection> of(Results results, List<CellNote> notes) {
        Set<String> classes = new LinkedHashSet<>(results.benchmarkClasses());
        notes.forEach(note -> classes.add(note.cell().benchmarkClass()));
        return classes.stream().map(name -> section(name, rows(name, results, notes))).toList();
    }

    String title() {
        String label = ReportFormat.benchmark(benchmarkClass);
        return Character.toUpperCase(label.charAt(0)) + label.substring(1);
    }

    /// Returns the id of the section's heading.
    String id() {
        return benchmarkClass.replaceAll("[^A-Za-z0-9]+", "-");
    }

    Stream<TableRow> rows() {
        return groups.stream()
                .flatMap(group -> group.lines.stream())
                .flatMap(line -> line.rows.stream())
                .flatMap(Optional::stream);
    }

    /// Returns the columns that describe the candidates. The column of memory is left out if no candidate allocates.
    List<Column> names() {
        boolean allocates = rows().anyMatch(row -> !row.memory().isEmpty());
        return allocates ? List.of(Column.CANDIDATE, Column.MEMORY) : List.of(Column.CANDIDATE);
    }

    /// Returns the columns of figures.
    List<Column> columns() {
        return Column.of(rows().flatMap(row -> row.measured().stream()).toList());
    }

    private static List<TableRow> rows(String benchmarkClass, Results all, List<CellNote> notes) {
        Results results = all.of(benchmarkClass);
        Map<Cell, CellNote> unused = new LinkedHashMap<>();
        notes.stream()
                .filter(note -> note.cell().benchmarkClass().equals(benchmarkClass))
                .forEach(note -> unused.putIfAbsent(note.cell(), note));
        Map<SortedMap<String, String>, Measurement> baselines = new LinkedHashMap<>();
        results.measurements()
                .stream()
                .filter(measurement -> measurement.cell().isBaseline())
                .forEach(baseline -> baselines.putIfAbsent(baseline.cell().conditions(), baseline));
        List<TableRow> rows = new ArrayList<>();
        for (Measurement measurement : results.measurements()) {
            Cell cell = measurement.cell();
            rows.add(TableRow.of(cell, measurement, baselines.get(cell.conditions()), unused.remove(cell)));
        }
        unused.values()
                .forEach(note -> rows
                        .add(TableRow.of(note.cell(), null, baselines.get(note.cell().conditions()), note)));
        return rows;
    }

    private static ReportSection section(String benchmarkClass, List<TableRow> rows) {
        List<String> variants = rows.stream()
                .map(row -> variant(row.cell()))
                .distinct()
                .toList();
        Map<Map<String, String>, Map<String, List<@Nullable TableRow>>> table = new LinkedHashMap<>();
        for (TableRow row : rows) {
            SortedMap<String, String> conditions = new TreeMap<>(row.cell().conditions());
            conditions.remove(WRITTEN);
            List<@Nullable TableRow> line = table.computeIfAbsent(conditions, _ -> new LinkedHashMap<>())
                    .computeIfAbsent(row.candidate(), _ -> new ArrayList<>(Collections.nCopies(
                            variants.size(), null)));
            line.set(variants.indexOf(variant(row.cell())), row);
        }
        List<Group> groups = new ArrayList<>();
        table.forEach((conditions, lines) -> groups.add(new Group(conditions, lines.entrySet()
                .stream()
                .map(line -> new Line(line.getKey(), line.getValue().stream().map(Optional::ofNullable).toList()))
                .toList())));
        return new ReportSection(benchmarkClass, ReportFormat.baseline(benchmarkClass), variants, groups);
    }

    private static String variant(Cell cell) {
        return Objects.requireNonNullElse(cell.params().get(WRITTEN), "");
    }
}
