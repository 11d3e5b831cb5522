package dev.arenakit.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The JDKs of a run side by side: a line for each candidate, a column with the time for each JDK, and a column for
/// each JDK but the first that compares it with the first.
///
/// @param jdks  the names of the JDKs
/// @param lines the lines
record JdkTable(List<String> jdks, List<Line> lines) {
    /// A candidate under some conditions.
    ///
    /// @param cell  its cell, without a JDK
    /// @param byJdk its row for each JDK that has one
    record Line(Cell cell, Map<String, ReportSection.Row> byJdk) {}

    /// {@return the table of some rows; without lines if the run has one JDK}
    static JdkTable of(List<ReportSection.Row> rows, List<String> jdks) {
        Map<Cell, Line> lines = new LinkedHashMap<>();
        for (ReportSection.Row row : rows) {
            String jdk = row.cell().params().get(Cell.JDK);
            if (jdk != null && jdks.contains(jdk)) {
                lines.computeIfAbsent(row.cell().withoutJdk(), cell -> new Line(cell, new LinkedHashMap<>())).byJdk
                        .put(jdk, row);
            }
        }
        return new JdkTable(jdks, List.copyOf(lines.values()));
    }

    /// {@return the headings of the columns of figures}
    List<String> headings() {
        return Stream.concat(jdks.stream().map(jdk -> Metric.TIME.heading() + ", " + jdk),
                jdks.stream().skip(1).map(jdk -> jdk + " against " + jdks.getFirst())).toList();
    }

    /// {@return the times of a line, as text}
    List<String> times(Line line) {
        return jdks.stream()
                .map(jdk -> Optional.ofNullable(line.byJdk.get(jdk))
                        .map(row -> row.value(Metric.TIME))
                        .orElse(Double.NaN))
                .map(Metric.TIME::text)
                .toList();
    }

    /// {@return how many times faster each JDK is than the first}
    List<Ratio> ratios(Line line) {
        return jdks.stream()
                .skip(1)
                .map(jdk -> Optional.ofNullable(line.byJdk.get(jdk))
                        .map(ReportSection.Row::jdkRatio)
                        .orElse(Ratio.UNKNOWN))
                .toList();
    }

    /// {@return the table for the terminal; empty if it has no lines}
    @Override
    public String toString() {
        if (lines.isEmpty()) {
            return "";
        }
        TextTable table = new TextTable(Stream.concat(Stream.of("benchmark", "params", "candidate"),
                headings().stream().map(heading -> ">" + heading)).toArray(String[]::new));
        String above = "";
        for (Line line : lines) {
            String benchmark = ReportFormat.benchmark(line.cell.benchmarkClass());
            String params = ReportFormat.params(line.cell.conditions());
            boolean isRepeated = above.equals(benchmark + params);
            above = benchmark + params;
            List<String> cells = new ArrayList<>(List.of(isRepeated ? "" : benchmark, isRepeated ? "" : params,
                    line.cell.candidate()));
            cells.addAll(times(line));
            ratios(line).forEach(ratio -> cells.add(ratio.toString()));
            table.add(cells.toArray(String[]::new));
        }
        return table.toString();
    }
}
