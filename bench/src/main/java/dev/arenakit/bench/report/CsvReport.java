package dev.arenakit.bench.report;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;

/// The report for programs: one row per cell, with twelve digits; unknown values are empty.
final class CsvReport {
    private static final Object[] HEADER = {"suite", "benchmark", "candidate", "memory", "params", "ns_per_op_median",
            "ns_per_op_modes", "ns_per_op_min", "ns_per_op_max", "spread_percent", "cpu_ns_per_op", "bytes_per_op",
            "baseline", "times_faster", "times_faster_low", "times_faster_high", "times_less_cpu",
            "times_less_cpu_low", "times_less_cpu_high", "process_cpu_ns_per_op", "page_faults_per_op",
            "resident_peak_bytes", "resident_retained_bytes", "p50_ns", "p90_ns", "p99_ns", "p99_9_ns", "p99_99_ns",
            "max_ns", "samples", "forks", "note"};

    // The metrics of the columns from `process_cpu_ns_per_op` on, which are empty if they were not measured.
    private static final List<Metric> FURTHER = List.of(Metric.PROCESS_CPU, Metric.PAGE_FAULTS, Metric.RESIDENT_PEAK,
            Metric.RESIDENT_RETAINED, Metric.P50, Metric.P90, Metric.P99, Metric.P99_9, Metric.P99_99,
            Metric.SLOWEST, Metric.SAMPLES);

    // The last digits of a double result from its conversion.
    private static final MathContext DIGITS = new MathContext(12);

    private CsvReport() {}

    static void write(Path file, String suite, List<ReportSection> sections) throws IOException {
        List<String> lines = new ArrayList<>(List.of(CSVFormat.RFC4180.format(HEADER)));
        for (ReportSection section : sections) {
            section.rows().map(row -> record(suite, section, row)).map(CSVFormat.RFC4180::format).forEach(lines::add);
        }
        Files.write(file, lines);
    }

    private static Object[] record(String suite, ReportSection section, TableRow row) {
        return Stream.of(Stream.<Object>of(suite, ReportFormat.benchmark(section.benchmarkClass()), row.candidate(),
                row.memory().replace(",", ""),
                params(row.cell().conditions()), of(row, Measurement::nanos),
                row.measured().map(CsvReport::modes).orElse(""), of(row, Measurement::fastest),
                of(row, Measurement::slowest),
                of(row, measurement -> 100 * measurement.spread()), of(row, Measurement::cpuNanos),
                of(row, Measurement::bytes), row.hasBaseline() ? section.baseline() : "",
                number(row.ratio().estimate()), number(row.ratio().low()), number(row.ratio().high()),
                number(row.cpuRatio().estimate()), number(row.cpuRatio().low()), number(row.cpuRatio().high())),
                FURTHER.stream().map(metric -> of(row, measurement -> measurement.value(metric))),
                Stream.of(row.measured().map(measurement -> measurement.forks().size()).orElse(0),
                        row.note().orElse("")))
                .flatMap(values -> values)
                .toArray();
    }

    private static String params(Map<String, String> conditions) {
        return conditions.entrySet()
                .stream()
                .map(param -> param.getKey() + "=" + param.getValue())
                .collect(Collectors.joining(";"));
    }

    /// Returns the medians of two modes; empty if there is only one mode, because the previous column has its median.
    private static String modes(Measurement measurement) {
        List<Double> modes = measurement.modes();
        return modes.size() == 1
                ? ""
                : modes.stream().map(CsvReport::number).collect(Collectors.joining(" | "));
    }

    private static String of(TableRow row, ToDoubleFunction<Measurement> value) {
        return row.measured().map(measurement -> number(value.applyAsDouble(measurement))).orElse("");
    }

    private static String number(double value) {
        return Double.isFinite(value)
                ? BigDecimal.valueOf(value).round(DIGITS).stripTrailingZeros().toPlainString()
                : "";
    }
}
