package dev.arenakit.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What the script of the page draws, in numbers and in the words of the tables.
///
/// @param families names; the number of one is its colour
/// @param charts   one per question that has figures
record ChartData(List<String> families, List<Chart> charts) {
    /// From so many values on a parameter is an axis; fewer are panels beside one another.
    static final int LEAST_OF_AN_AXIS = 6;

    /// The picture of a question.
    ///
    /// @param id          of the element that it is drawn in
    /// @param axis        the parameter along the axis of a chart of lines, absent from one of bars
    /// @param baseline    what the contestants are compared with
    /// @param contestants in the order of the tables
    /// @param columns     how many panels belong beside one another; 0 where that is as it comes
    /// @param panels      one per combination of the other conditions
    record Chart(String id, @Nullable String axis, String baseline, List<Contestant> contestants, int columns,
            List<Panel> panels) {}

    /// Who is drawn.
    ///
    /// @param shade tells members of a family apart
    record Contestant(String name, int family, int shade) {}

    /// A small chart of its own, on the scale of its neighbours.
    record Panel(String title, List<Point> points) {}

    /// A figure with its whiskers.
    ///
    /// @param contestant index into the chart's
    /// @param x          where along the axis of a chart of lines
    /// @param modes      two medians, or the one
    /// @param times      the text that compares it with the baseline
    record Point(int contestant, @Nullable Double x, String conditions, double ns, double min, double max,
            List<Double> modes, String text, String range, String cpu, String bytes, String times, boolean noisy,
            boolean baseline, int forks) {}

    static ChartData of(List<Section> sections) {
        Families families = new Families(sections);
        return new ChartData(families.names(), sections.stream()
                .filter(section -> section.rows().anyMatch(ChartData::isDrawn))
                .map(section -> chart(section, families))
                .toList());
    }

    static String chartId(Section section) {
        return "chart-" + section.id();
    }

    /// The parameter that is an axis: the one with most numbers, if they are many.
    static Optional<String> axis(Section section) {
        Map<String, Set<String>> values = new LinkedHashMap<>();
        section.rows()
                .filter(ChartData::isDrawn)
                .forEach(row -> row.cell()
                        .conditions()
                        .forEach((name, value) -> values.computeIfAbsent(name, _ -> new LinkedHashSet<>())
                                .add(value)));
        return values.entrySet()
                .stream()
                .filter(param -> param.getValue().size() >= LEAST_OF_AN_AXIS)
                .filter(param -> param.getValue().stream().allMatch(ChartData::isPositive))
                .max(Map.Entry.comparingByValue((a, b) -> Integer.compare(a.size(), b.size())))
                .map(Map.Entry::getKey);
    }

    private static Chart chart(Section section, Families families) {
        Optional<String> axis = axis(section);
        List<String> names = section.rows().filter(ChartData::isDrawn).map(Row::contestant).distinct().toList();
        Map<Map<String, String>, List<Point>> panels = new LinkedHashMap<>();
        for (Section.Group group : section.groups()) {
            // Panel by panel, so that those of one group come one after the other, as they are to stand.
            for (int variant = 0; variant < section.variants().size(); variant++) {
                for (Section.Line line : group.lines()) {
                    line.rows().get(variant).filter(ChartData::isDrawn).ifPresent(row -> {
                        Map<String, String> conditions = new LinkedHashMap<>(row.cell().conditions());
                        axis.ifPresent(conditions::remove);
                        panels.computeIfAbsent(conditions, _ -> new ArrayList<>())
                                .add(point(row, names.indexOf(row.contestant()), axis));
                    });
                }
            }
        }
        return new Chart(chartId(section), axis.map(ChartData::axisName).orElse(null), section.baseline(),
                contestants(names, families), section.variants().size() > 1 ? section.variants().size() : 0,
                panels.entrySet()
                        .stream()
                        .map(panel -> new Panel(Labels.params(panel.getKey()), panel.getValue()))
                        .toList());
    }

    private static List<Contestant> contestants(List<String> names, Families families) {
        Map<Integer, Integer> members = new LinkedHashMap<>();
        return names.stream().map(name -> {
            int family = families.number(name);
            return new Contestant(name, family, members.merge(family, 1, Integer::sum) - 1);
        }).toList();
    }

    private static Point point(Row row, int contestant, Optional<String> axis) {
        Measurement measurement = row.measured().orElseThrow();
        return new Point(contestant, axis.map(name -> Double.valueOf(row.cell().params().get(name))).orElse(null),
                axis.map(name -> Labels.params(Map.of(name, row.cell().params().get(name)))).orElse(""),
                measurement.nanos(), measurement.fastest(), measurement.slowest(), measurement.modes(),
                Labels.modes(measurement.modes()), row.rangeText(), Labels.number(measurement.cpuNanos()),
                Labels.heapBytes(measurement.bytes()), row.ratioText(), row.isCompared() && row.isNoisy(),
                row.isBaseline(), measurement.forks().size());
    }

    /// A logarithmic axis has no place for nothing.
    static boolean isDrawn(Row row) {
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

    /// What there is to see, for those who do not.
    static String describe(Section section) {
        List<Row> drawn = section.rows().filter(ChartData::isDrawn).toList();
        String contestants = drawn.stream().map(Row::contestant).distinct().collect(Collectors.joining(", "));
        return axis(section).map(axis -> "Lines of nanoseconds per operation over " + axisName(axis))
                .orElse("Bars of nanoseconds per operation") + ", with whiskers from the fastest to the slowest fork: "
                + contestants + ". The table below has the same figures.";
    }
}
