package dev.arenakit.bench.report;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/// A column in the tables for people. Every table has the first columns of figures. Further columns of figures are in
/// tables whose measurements have these figures.
///
/// The last column of a table, the comparison with the baseline, is not such a column.
///
/// @param name the heading
/// @param text the text of a row
record Column(String name, Function<TableRow, String> text) {
    static final Column CANDIDATE = new Column("candidate", TableRow::candidate);

    /// The traits of the candidate's memory; empty if it does not allocate.
    static final Column MEMORY = new Column("memory", TableRow::memory);

    private static final double MIB = 1 << 20;

    private static final List<Column> TIMES = List.of(
            figure("ns/op", measurement -> ReportFormat.modes(measurement.modes())),
            figure("min..max", Column::range));

    /// Returns the columns of figures.
    static List<Column> of(Collection<Measurement> measurements) {
        return Stream.of(TIMES.stream(), always("CPU ns/op", Metric.CPU, ReportFormat::number),
                measured(measurements, "process CPU", Metric.PROCESS_CPU, ReportFormat::number),
                always("B/op", Metric.BYTES, ReportFormat::heapBytes),
                measured(measurements, "faults/op", Metric.PAGE_FAULTS, ReportFormat::number),
                measured(measurements, "peak MiB", Metric.RESIDENT_PEAK, Column::mebibytes),
                measured(measurements, "retained MiB", Metric.RESIDENT_RETAINED, Column::mebibytes),
                Metric.PERCENTILES.stream()
                        .flatMap(each -> measured(measurements, each.label(), each, ReportFormat::number)),
                measured(measurements, "max", Metric.SLOWEST, ReportFormat::number)).flatMap(each -> each).toList();
    }

    /// Returns whether the measurements have percentiles.
    static boolean hasTails(Collection<Measurement> measurements) {
        return isMeasured(measurements, Metric.P50);
    }

    static boolean isMeasured(Collection<Measurement> measurements, Metric metric) {
        return measurements.stream().anyMatch(measurement -> !Double.isNaN(measurement.value(metric)));
    }

    static String range(Measurement measurement) {
        return ReportFormat.number(measurement.fastest()) + ".." + ReportFormat.number(measurement.slowest());
    }

    private static Stream<Column> measured(Collection<Measurement> measurements, String name, Metric metric,
            DoubleFunction<String> format) {
        return isMeasured(measurements, metric) ? always(name, metric, format) : Stream.empty();
    }

    private static Stream<Column> always(String name, Metric metric, DoubleFunction<String> format) {
        return Stream.of(figure(name, measurement -> format.apply(measurement.value(metric))));
    }

    private static Column figure(String name, Function<Measurement, String> text) {
        return new Column(name, row -> row.measured().map(text).orElse("-"));
    }

    private static String mebibytes(double bytes) {
        return Double.isNaN(bytes) ? "-" : String.format(Locale.ROOT, "%.1f", bytes / MIB);
    }
}
