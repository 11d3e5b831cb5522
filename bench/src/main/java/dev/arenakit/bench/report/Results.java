package dev.arenakit.bench.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.Strictness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The measurements of a run, read from a result file in JMH's JSON format.
///
/// Every report is written from this file, so it can be written again, and checked, later.
///
/// @param measurements in the order of the file
public record Results(List<Measurement> measurements) {
    /// Name that runs give the file.
    public static final String FILE = "results.json";

    // JMH writes numbers that are not finite.
    private static final Gson GSON = new GsonBuilder().setStrictness(Strictness.LENIENT).create();

    /// Copies the list.
    public Results {
        measurements = List.copyOf(measurements);
    }

    /// What JMH has measured of a benchmark, as in its file.
    private record JmhResult(String benchmark, @Nullable String jdkVersion, @Nullable Map<String, String> params,
            JmhMetric primaryMetric, Map<String, JmhMetric> secondaryMetrics) {
        Measurement measurement() {
            if (!primaryMetric.scoreUnit.equals("ns/op")) {
                throw new IllegalArgumentException("Unit not understood: benchmark=" + benchmark + ", scoreUnit="
                        + primaryMetric.scoreUnit + "; measure the average time in ns/op");
            }
            int method = benchmark.lastIndexOf('.');
            Map<String, String> given = params == null ? Map.of() : params;
            int batch = Integer.parseInt(given.getOrDefault(ReportFormat.BATCH, "1"));
            return new Measurement(new Cell(benchmark.substring(0, method), benchmark.substring(method + 1), given),
                    jdkVersion == null ? 0 : Runtime.Version.parse(jdkVersion).feature(),
                    IntStream.range(0, primaryMetric.rawData.size()).mapToObj(fork -> fork(fork, batch)).toList());
        }

        private Measurement.Fork fork(int fork, int batch) {
            Map<Metric, List<Double>> values = new EnumMap<>(Metric.class);
            for (Metric metric : Metric.values()) {
                JmhMetric result = metric == Metric.TIME ? primaryMetric : secondaryMetrics.get(metric.resultName());
                if (result != null) {
                    int operations = metric.isPerOperation() ? batch : 1;
                    values.put(metric, result.rawData.get(fork).stream().map(value -> value / operations).toList());
                }
            }
            return new Measurement.Fork(values);
        }
    }

    /// A figure of a benchmark, with a list of iterations for each fork.
    private record JmhMetric(String scoreUnit, List<List<Double>> rawData) {}

    /// {@return the result file that a path names, which may be the directory of a report}
    ///
    /// @param path a file or a directory
    public static Path file(Path path) {
        return Files.isDirectory(path) ? path.resolve(FILE) : path;
    }

    /// Reads a result file.
    ///
    /// @param file a file in JMH's JSON format, with average times in nanoseconds per operation
    /// @return its measurements
    /// @throws IOException if the file cannot be read, or has another format
    public static Results read(Path file) throws IOException {
        try {
            return new Results(Stream.of(GSON.fromJson(Files.readString(file), JmhResult[].class))
                    .map(JmhResult::measurement)
                    .toList());
        } catch (NoSuchFileException e) {
            throw new IOException("No such result file: file=" + file, e);
        } catch (IOException e) {
            throw new IOException("Result file cannot be read: file=" + file + ", reason=" + e.getMessage(), e);
        } catch (RuntimeException e) {
            // On files of other formats, Gson and missing fields throw various runtime exceptions.
            throw new IOException("Not a result file of JMH: file=" + file + ", reason=" + e.getMessage(), e);
        }
    }

    /// Finds the measurement of a cell.
    ///
    /// @param cell the cell
    /// @return the measurement, if there is one
    public Optional<Measurement> find(Cell cell) {
        return measurements.stream().filter(measurement -> measurement.cell().equals(cell)).findFirst();
    }

    /// {@return the feature version of the JDK that has measured; 0 if it is unknown, or nothing was measured}
    int jdk() {
        return measurements.stream().mapToInt(Measurement::jdk).findFirst().orElse(0);
    }
}
