package dev.arenakit.bench.report;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The data that the script of the page draws: numbers, and the texts of the tables.
///
/// @param charts one chart for each benchmark that has figures
record ChartData(List<Chart> charts) {
    /// A parameter with at least this many values is an axis; with fewer values, it is a panel for each value.
    static final int MIN_AXIS_VALUES = 6;

    // The axis of a chart of tails.
    private static final String PERCENTILE = "percentile";

    /// The chart of a benchmark.
    ///
    /// @param id         id of the element that contains the chart
    /// @param axis       the parameter on the x axis of a line chart; null for a chart of dots
    /// @param baseline   the candidate that the others are compared with
    /// @param candidates the candidates in the order of the tables
    /// @param columns    number of panels in a row; 0 if any number will do
    /// @param panels     one per combination of the other conditions
    record Chart(String id, @Nullable String axis, String baseline, List<Candidate> candidates, int columns,
            List<Panel> panels) {}

    /// A candidate in a chart.
    ///
    /// @param color the number of its colour, the same in all reports
    /// @param shade distinguishes candidates of the same colour in a chart
    record Candidate(String name, int color, int shade) {}

    /// A part of a chart with axes of its own; all panels of a chart have the same scale.
    record Panel(String title, List<Point> points) {}

    /// A figure with its whiskers.
    ///
    /// @param candidate index of the candidate in the chart
    /// @param x         position on the axis of a line chart
    /// @param modes     the median, or the medians of two modes
    /// @param times     the ratio to the baseline, as text
    /// @param ratio     the same with its interval
    /// @param note      the reason not to trust the figure; empty if there is none
    record Point(int candidate, @Nullable Double x, String conditions, double ns, double min, double max,
            List<Double> modes, String text, String range, String cpu, String bytes, String times, String ratio,
            boolean uncertain, boolean baseline, int forks, String note) {}

    static ChartData of(List<ReportSection> sections) {
        return new ChartData(sections.stream()
                .filter(section -> section.rows().anyMatch(ChartData::isDrawn))
                .map(ChartData::chart)
                .toList());
    }

    static String chartId(ReportSection section) {
        return "chart-" + section.id();
    }

    /// Returns the parameter that is an axis. This is the parameter with most values, if it has enough values and all
    /// of them are numbers.
    static Optional<String> axis(ReportSection section) {
        Map<String, Set<String>> values = new LinkedHashMap<>();
        section.rows()
                .filter(ChartData::isDrawn)
                .forEach(row -> row.cell()
                        .conditions()
                        .forEach((name, value) -> values.computeIfAbsent(name, _ -> new LinkedHashSet<>())
                                .add(value)));
        return values.entrySet()
                .stream()
                .filter(param -> param.getValue().size() >= MIN_AXIS_VALUES)
                .filter(param -> param.getValue().stream().allMatch(ChartData::isPositive))
                .max(Map.Entry.comparingByValue((a, b) -> Integer.compare(a.size(), b.size())))
                .map(Map.Entry::getKey);
    }

    private static Chart chart(ReportSection section) {
        return hasTails(section) ? tails(section) : times(section);
    }

    private static boolean hasTails(ReportSection section) {
        return Column.hasTails(section.rows().flatMap(row -> row.measured().stream()).toList());
    }

    /// Returns a chart of lines along the percentiles.
    private static Chart tails(ReportSection section) {
        List<TableRow> rows = section.rows().filter(ChartData::isDrawn).toList();
        List<String> names = rows.stream().map(TableRow::candidate).distinct().toList();
        Map<Map<String, String>, List<Point>> panels = new LinkedHashMap<>();
        for (TableRow row : rows) {
            for (Metric percentile : Metric.PERCENTILES) {
                if (Double.isNaN(row.measured().orElseThrow().value(percentile))) {
                    continue;
                }
                panels.computeIfAbsent(row.cell().conditions(), _ -> new ArrayList<>())
                        .add(tail(row, names.indexOf(row.candidate()), percentile));
            }
        }
        return new Chart(chartId(section), PERCENTILE, section.baseline(), candidates(names), 0, panels(panels));
    }

    private static Point tail(TableRow row, int candidate, Metric percentile) {
        Measurement measurement = row.measured().orElseThrow();
        double nanos = measurement.value(percentile);
        DoubleSummaryStatistics forks = measurement.forks()
                .stream()
                .mapToDouble(fork -> fork.value(percentile))
                .filter(Double::isFinite)
                .summaryStatistics();
        // One operation in this many is slower.
        double oneIn = 1 / (1 - Double.parseDouble(percentile.label().substring(1)) / 100);
        String text = ReportFormat.number(nanos);
        return new Point(candidate, (double) Math.round(oneIn), percentile.label(), nanos, forks.getMin(),
                forks.getMax(), List.of(nanos), text,
                ReportFormat.number(forks.getMin()) + ".." + ReportFormat.number(forks.getMax()),
                ReportFormat.number(measurement.cpuNanos()), ReportFormat.heapBytes(measurement.bytes()),
                row.ratio().text(), row.ratioText(), row.isUncertain(), row.isBaseline(), measurement.forks().size(),
                row.note().orElse(""));
    }

    private static List<Panel> panels(Map<Map<String, String>, List<Point>> byConditions) {
        return byConditions.entrySet()
                .stream()
                .map(panel -> new Panel(ReportFormat.params(panel.getKey()), panel.getValue()))
                .toList();
    }

    private static Chart times(ReportSection section) {
        Optional<String> axis = axis(section);
        List<String> names = section.rows().filter(ChartData::isDrawn).map(TableRow::candidate).distinct().toList();
        Map<Map<String, String>, List<Point>> panels = new LinkedHashMap<>();
        for (ReportSection.Group group : section.groups()) {
            // The outer loop is over the variants, so that the panels of a group follow each other.
            for (int variant = 0; variant < section.variants().size(); variant++) {
                for (ReportSection.Line line : group.lines()) {
                    line.rows().get(variant).filter(ChartData::isDrawn).ifPresent(row -> {
                        Map<String, String> conditions = new LinkedHashMap<>(row.cell().conditions());
                        axis.ifPresent(conditions::remove);
                        panels.computeIfAbsent(conditions, _ -> new ArrayList<>())
                                .add(point(row, names.indexOf(row.candidate()), axis));
                    });
                }
            }
        }
        return new Chart(chartId(section), axis.map(ChartData::axisName).orElse(null), section.baseline(),
                candidates(names), section.variants().size() > 1 ? section.variants().size() : 0,
                panels(panels));
    }

    private static List<Candidate> candidates(List<String> names) {
        Set<List<Integer>> taken = new HashSet<>();
        return names.stream().map(name -> {
            int color = CandidateFamilies.color(name);
            int shade = IntStream.range(0, CandidateFamilies.SHADES)
                    .map(next -> (CandidateFamilies.shade(name) + next) % CandidateFamilies.SHADES)
                    .filter(each -> taken.add(List.of(color, each)))
                    .findFirst()
                    .orElse(CandidateFamilies.shade(name));
            return new Candidate(name, color, shade);
        }).toList();
    }

    private static Point point(TableRow row, int candidate, Optional<String> axis) {
        Measurement measurement = row.measured().orElseThrow();
        return new Point(candidate, axis.map(name -> Double.valueOf(row.cell().params().get(name))).orElse(null),
                axis.map(name -> ReportFormat.params(Map.of(name, row.cell().params().get(name)))).orElse(""),
                measurement.nanos(), measurement.fastest(), measurement.slowest(), measurement.modes(),
                ReportFormat.modes(measurement.modes()), row.rangeText(), ReportFormat.number(measurement.cpuNanos()),
                ReportFormat.heapBytes(measurement.bytes()), row.ratio().text(),
                row.ratioText(), row.isUncertain(), row.isBaseline(), measurement.forks().size(),
                row.note().orElse(""));
    }

    /// Only positive values can be drawn, since the axes are logarithmic.
    static boolean isDrawn(TableRow row) {
        return row.measured().filter(measurement -> measurement.fastest() > 0).isPresent();
    }

    private static boolean isPositive(String value) {
        try {
            return Double.parseDouble(value) > 0;
        } catch (NumberFormatException _) {
            return false;
        }
    }

    private static String axisName(String param) {
        return param.equals("byteSize") ? "bytes" : param;
    }

    /// Returns a text alternative for the chart, for screen readers.
    static String describe(ReportSection section) {
        List<TableRow> drawn = section.rows().filter(ChartData::isDrawn).toList();
        String candidates = drawn.stream().map(TableRow::candidate).distinct().collect(Collectors.joining(", "));
        if (hasTails(section)) {
            return "Lines of nanoseconds over percentiles, with whiskers from the fastest to the slowest fork: "
                    + candidates + ". The table below has the same figures.";
        }
        return axis(section).map(axis -> "Lines of nanoseconds per operation over " + axisName(axis))
                .orElse("Dots of nanoseconds per operation") + ", with whiskers from the fastest to the slowest fork: "
                + candidates + ". The table below has the same figures.";
    }
}
