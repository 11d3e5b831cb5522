package dev.arenakit.bench.report;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The data that the script of the page draws: numbers, and the texts of the tables.
///
/// @param charts one chart for each benchmark that has figures
record ChartData(List<Chart> charts) {
    /// A parameter with at least this many values is an axis; with fewer values, it is a panel for each value.
    static final int MIN_AXIS_VALUES = 6;

    // The axis of a chart of tails.
    private static final String PERCENTILE = "percentile";

    /// The first words of the candidates of each colour of the script. A candidate has the same colour in all reports.
    private static final List<Set<String>> COLORS = List.of(
            Set.of("Arena", "slicingAllocator", "BufferStack", "Unsafe", "VarHandle", "VarHandles", "HashMap",
                    "LinkedHashMap",
                    "Arrays", "JDK", "TreeMap", "sorted"),
            Set.of("SlabArena"), Set.of("MallocArena"), Set.of("InfiniteArena"), Set.of("Netty", "LMDB"),
            Set.of("LWJGL", "SQLite"),
            Set.of("malloc", "calloc"),
            Set.of("RecordMapper", "records", "RecordMap", "LongLongMap", "BytesLongMap", "LruMap", "LongList",
                    "OffsetAllocator"),
            Set.of("Agrona", "mimalloc"), Set.of("fastutil", "jemalloc", "ByteBuffer"),
            Set.of("Eclipse", "views", "DataOutputStream"),
            Set.of("Chronicle", "LongField", "Serializable", "IntList"),
            Set.of("MapDB", "Caffeine", "SegmentReader", "FreeListArena"), Set.of("LongIntMap"));
    // Colours from this one on are shared, also with unknown candidates.
    private static final int FIRST_SHARED = 7;

    /// The chart of a benchmark.
    ///
    /// @param id         id of the element that contains the chart
    /// @param axis       the parameter on the x axis of a line chart; null for a chart of dots
    /// @param candidates the candidates in the order of the tables
    /// @param panels     one per combination of the other conditions
    record Chart(String id, @Nullable String axis, List<Candidate> candidates, List<Panel> panels) {}

    /// A candidate in a chart.
    ///
    /// @param color the number of its colour
    /// @param shade distinguishes candidates of the same colour in a chart
    record Candidate(String name, int color, int shade) {}

    /// A part of a chart with axes of its own; all panels of a chart have the same scale.
    record Panel(String title, List<Point> points) {}

    /// A figure with its whiskers.
    ///
    /// @param candidate index of the candidate in the chart
    /// @param x         position on the axis of a line chart
    /// @param times     the ratio to the baseline, as text
    /// @param ratio     the same with its interval
    /// @param note      the reason not to trust the figure; empty if there is none
    record Point(int candidate, @Nullable Double x, String conditions, double ns, double min, double max, String text,
            String range, String cpu, String bytes, String times, String ratio, boolean uncertain, boolean baseline,
            int forks, String note) {}

    static ChartData of(List<ReportSection> sections) {
        return new ChartData(sections.stream()
                .filter(section -> section.rows().stream().anyMatch(ChartData::isDrawn))
                .map(ChartData::chart)
                .toList());
    }

    static String chartId(ReportSection section) {
        return "chart-" + section.id();
    }

    /// Returns the name of the axis of a chart of lines; empty for a chart of dots.
    static Optional<String> axis(ReportSection section) {
        return section.metrics().contains(Metric.P50)
                ? Optional.of(PERCENTILE)
                : param(section).map(param -> param.equals("byteSize") ? "bytes" : param);
    }

    /// Returns the parameter that is an axis. This is the parameter with most values, if it has enough values and all
    /// of them are numbers.
    private static Optional<String> param(ReportSection section) {
        Map<String, Set<String>> values = new LinkedHashMap<>();
        section.rows()
                .stream()
                .filter(ChartData::isDrawn)
                .flatMap(row -> row.cell().conditions().entrySet().stream())
                .forEach(param -> values.computeIfAbsent(param.getKey(), _ -> new LinkedHashSet<>())
                        .add(param.getValue()));
        return values.entrySet()
                .stream()
                .filter(param -> param.getValue().size() >= MIN_AXIS_VALUES
                        && param.getValue().stream().allMatch(value -> value.matches("[1-9]\\d*")))
                .max(Map.Entry.comparingByValue((a, b) -> Integer.compare(a.size(), b.size())))
                .map(Map.Entry::getKey);
    }

    private static Chart chart(ReportSection section) {
        Optional<String> axis = axis(section);
        Optional<String> param = axis.filter(name -> !name.equals(PERCENTILE)).flatMap(_ -> param(section));
        List<ReportSection.Row> rows = section.rows().stream().filter(ChartData::isDrawn).toList();
        List<String> names = rows.stream().map(ReportSection.Row::candidate).distinct().toList();
        Map<Map<String, String>, List<Point>> panels = new LinkedHashMap<>();
        for (ReportSection.Row row : rows) {
            int candidate = names.indexOf(row.candidate());
            Map<String, String> conditions = new TreeMap<>(row.cell().conditions());
            Optional<String> value = param.map(conditions::remove);
            List<Point> points = panels.computeIfAbsent(conditions, _ -> new ArrayList<>());
            if (axis.equals(Optional.of(PERCENTILE))) {
                Metric.PERCENTILES.stream()
                        .filter(percentile -> !Double.isNaN(row.value(percentile)))
                        .forEach(percentile -> points.add(point(row, candidate, oneIn(percentile),
                                percentile.heading(), percentile)));
            } else {
                points.add(point(row, candidate, value.map(Double::valueOf).orElse(null),
                        value.map(text -> ReportFormat.params(Map.of(param.orElseThrow(), text))).orElse(""),
                        Metric.TIME));
            }
        }
        return new Chart(chartId(section), axis.orElse(null), candidates(names), panels.entrySet()
                .stream()
                .map(panel -> new Panel(ReportFormat.params(panel.getKey()), panel.getValue()))
                .toList());
    }

    /// One operation in this many is slower.
    private static double oneIn(Metric percentile) {
        return Math.round(1 / (1 - Double.parseDouble(percentile.heading().substring(1)) / 100));
    }

    private static Point point(ReportSection.Row row, int candidate, @Nullable Double x, String conditions,
            Metric metric) {
        Measurement measurement = row.measured().orElseThrow();
        DoubleSummaryStatistics range = measurement.range(metric);
        return new Point(candidate, x, conditions, measurement.value(metric), range.getMin(), range.getMax(),
                metric.text(measurement.value(metric)), measurement.rangeText(metric),
                Metric.CPU.text(measurement.value(Metric.CPU)), Metric.BYTES.text(measurement.value(Metric.BYTES)),
                row.ratio().text(), row.ratioText(), row.isUncertain(), row.isBaseline(), measurement.forks().size(),
                row.note());
    }

    private static List<Candidate> candidates(List<String> names) {
        Map<Integer, Integer> shades = new HashMap<>();
        return names.stream().map(name -> {
            int color = color(name);
            return new Candidate(name, color, shades.merge(color, 1, Integer::sum) - 1);
        }).toList();
    }

    private static int color(String candidate) {
        String word = candidate.split("[ .(,]", 2)[0];
        for (int color = 0; color < COLORS.size(); color++) {
            if (COLORS.get(color).contains(word)) {
                return color;
            }
        }
        return FIRST_SHARED + Math.floorMod(word.hashCode(), COLORS.size() - FIRST_SHARED);
    }

    /// Only positive values can be drawn, since the axes are logarithmic.
    static boolean isDrawn(ReportSection.Row row) {
        return row.measured().filter(measurement -> measurement.range(Metric.TIME).getMin() > 0).isPresent();
    }

    /// Returns a text alternative for the chart, for screen readers.
    static String describe(ReportSection section) {
        String kind = axis(section).map(axis -> axis.equals(PERCENTILE)
                ? "Lines of nanoseconds over percentiles"
                : "Lines of nanoseconds per operation over " + axis).orElse("Dots of nanoseconds per operation");
        return kind + ", with whiskers from the fastest to the slowest fork: " + section.rows()
                .stream()
                .filter(ChartData::isDrawn)
                .map(ReportSection.Row::candidate)
                .distinct()
                .collect(Collectors.joining(", ")) + ". The table below has the same figures.";
    }
}
