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

/// A question as it is shown: groups of contestants under the same conditions, each with a figure per variant.
///
/// What is shown side by side, and not below one another, is a variant: how much of the memory was written. Other questions
/// have one variant without a name.
///
/// @param question name of the benchmark class
/// @param baseline what the others are compared with
/// @param variants values of [#WRITTEN], or one empty string
/// @param groups   in the order in which they were measured
record Section(String question, String baseline, List<String> variants, List<Group> groups) {
    static final String WRITTEN = "written";

    /// Contestants under the same conditions.
    ///
    /// @param conditions without the variant
    record Group(Map<String, String> conditions, List<Line> lines) {}

    /// A contestant under some conditions.
    ///
    /// @param rows by variant; absent where nothing was to be measured
    record Line(String contestant, List<Optional<Row>> rows) {}

    /// {@return all questions of which there is anything to say}
    static List<Section> of(Results results, List<Missing> missing) {
        Set<String> questions = new LinkedHashSet<>(results.questions());
        missing.forEach(absent -> questions.add(absent.cell().question()));
        return questions.stream().map(question -> section(question, rows(question, results, missing))).toList();
    }

    String title() {
        String label = Labels.question(question);
        return Character.toUpperCase(label.charAt(0)) + label.substring(1);
    }

    /// What the anchor of the section is called.
    String id() {
        return question.replaceAll("[^A-Za-z0-9]+", "-");
    }

    Stream<Row> rows() {
        return groups.stream()
                .flatMap(group -> group.lines.stream())
                .flatMap(line -> line.rows.stream())
                .flatMap(Optional::stream);
    }

    private static List<Row> rows(String question, Results all, List<Missing> missing) {
        Results results = all.of(question);
        Map<Cell, Missing> notes = new LinkedHashMap<>();
        missing.stream()
                .filter(absent -> absent.cell().question().equals(question))
                .forEach(absent -> notes.putIfAbsent(absent.cell(), absent));
        Map<SortedMap<String, String>, Measurement> baselines = new LinkedHashMap<>();
        results.measurements()
                .stream()
                .filter(measurement -> measurement.cell().isBaseline())
                .forEach(baseline -> baselines.putIfAbsent(baseline.cell().conditions(), baseline));
        List<Row> rows = new ArrayList<>();
        for (Measurement measurement : results.measurements()) {
            Cell cell = measurement.cell();
            rows.add(new Row(cell, cell.contestant(), measurement, baselines.get(cell.conditions()),
                    notes.remove(cell)));
        }
        notes.values()
                .forEach(absent -> rows.add(new Row(absent.cell(), absent.cell().contestant(), null,
                        baselines.get(absent.cell().conditions()), absent)));
        return rows;
    }

    private static Section section(String question, List<Row> rows) {
        List<String> variants = rows.stream()
                .map(row -> variant(row.cell()))
                .distinct()
                .toList();
        Map<Map<String, String>, Map<String, List<@Nullable Row>>> table = new LinkedHashMap<>();
        for (Row row : rows) {
            SortedMap<String, String> conditions = new TreeMap<>(row.cell().conditions());
            conditions.remove(WRITTEN);
            List<@Nullable Row> line = table.computeIfAbsent(conditions, _ -> new LinkedHashMap<>())
                    .computeIfAbsent(row.contestant(), _ -> new ArrayList<>(Collections.nCopies(
                            variants.size(), null)));
            line.set(variants.indexOf(variant(row.cell())), row);
        }
        List<Group> groups = new ArrayList<>();
        table.forEach((conditions, lines) -> groups.add(new Group(conditions, lines.entrySet()
                .stream()
                .map(line -> new Line(line.getKey(), line.getValue().stream().map(Optional::ofNullable).toList()))
                .toList())));
        return new Section(question, Labels.baseline(question), variants, groups);
    }

    private static String variant(Cell cell) {
        return Objects.requireNonNullElse(cell.params().get(WRITTEN), "");
    }
}
