package dev.arenakit.bench.report;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonIOException;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// The measurements of a run, read from a result file in JMH's JSON format.
///
/// Every report is written from this file, so it can be written again, and checked, later.
///
/// @param measurements in the order of the file
public record Results(List<Measurement> measurements) {
    /// Name that runs give the file.
    public static final String FILE = "results.json";

    /// The parameter with the number of operations in an invocation of the benchmark. Without this parameter, an
    /// invocation is one operation.
    public static final String BATCH = "batch";

    /// Copies the list.
    public Results {
        measurements = List.copyOf(measurements);
    }

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
        try (Reader reader = Files.newBufferedReader(file)) {
            List<Measurement> measurements = new ArrayList<>();
            for (JsonElement result : JsonParser.parseReader(reader).getAsJsonArray()) {
                measurements.add(measurement(result.getAsJsonObject()));
            }
            return new Results(measurements);
        } catch (NoSuchFileException e) {
            throw new IOException("No such result file: file=" + file, e);
        } catch (JsonIOException e) {
            throw new IOException("Result file cannot be read: file=" + file + ", reason=" + e.getMessage(), e);
        } catch (RuntimeException e) {
            // On files of other formats, Gson and the look-ups of missing fields throw various runtime exceptions.
            throw new IOException("Not a result file of JMH: file=" + file + ", reason=" + e.getMessage(), e);
        } catch (IOException e) {
            throw new IOException("Result file cannot be read: file=" + file + ", reason=" + e.getMessage(), e);
        }
    }

    /// Finds the measurement of a cell.
    ///
    /// @param cell the cell
    /// @return the measurement, if there is one
    public Optional<Measurement> find(Cell cell) {
        return measurements.stream().filter(measurement -> measurement.cell().equals(cell)).findFirst();
    }

    /// {@return the names of the JDKs in a run with several, in the order of the file; empty in a run with one}
    List<String> jdks() {
        List<String> jdks = measurements.stream()
                .flatMap(measurement -> Stream.ofNullable(measurement.cell().params().get(Cell.JDK)))
                .distinct()
                .toList();
        return jdks.size() < 2 ? List.of() : jdks;
    }

    /// {@return the feature version of the JDK that measures a cell; 0 if it is unknown, or has measured nothing}
    ///
    /// @param cell a cell, which may have failed
    int jdk(Cell cell) {
        String name = cell.params().get(Cell.JDK);
        return measurements.stream()
                .filter(measurement -> Objects.equals(measurement.cell().params().get(Cell.JDK), name))
                .mapToInt(Measurement::jdk)
                .findFirst()
                .orElse(0);
    }

    /// Finds the measurement of the baseline under the same conditions.
    ///
    /// @param cell a cell of any candidate
    /// @return the measurement of the baseline of the same benchmark, if there is one
    Optional<Measurement> baselineOf(Cell cell) {
        return measurements.stream()
                .filter(other -> other.cell().isComparableWith(cell) && other.cell().isBaseline())
                .findFirst();
    }

    private static Measurement measurement(JsonObject result) {
        String benchmark = result.get("benchmark").getAsString();
        int method = benchmark.lastIndexOf('.');
        Map<String, String> params = new HashMap<>();
        JsonObject given = result.getAsJsonObject("params");
        if (given != null) {
            given.entrySet().forEach(param -> params.put(param.getKey(), param.getValue().getAsString()));
        }
        JsonElement version = result.get("jdkVersion");
        return new Measurement(new Cell(benchmark.substring(0, method), benchmark.substring(method + 1), params),
                version == null ? 0 : Runtime.Version.parse(version.getAsString()).feature(),
                forks(result, Integer.parseInt(params.getOrDefault(BATCH, "1"))));
    }

    private static List<Measurement.Fork> forks(JsonObject benchmark, int batch) {
        JsonObject primary = benchmark.getAsJsonObject("primaryMetric");
        if (!primary.get("scoreUnit").getAsString().equals("ns/op")) {
            throw new IllegalArgumentException("Unit not understood: benchmark=" + benchmark.get("benchmark")
                    + ", scoreUnit=" + primary.get("scoreUnit") + "; measure the average time in ns/op");
        }
        JsonObject secondary = benchmark.getAsJsonObject("secondaryMetrics");
        JsonArray times = primary.getAsJsonArray("rawData");
        List<Measurement.Fork> forks = new ArrayList<>();
        for (int fork = 0; fork < times.size(); fork++) {
            Map<Metric, List<Double>> values = new EnumMap<>(Metric.class);
            values.put(Metric.TIME, iterations(times, fork, batch));
            for (Metric metric : Metric.values()) {
                JsonObject result = secondary.getAsJsonObject(metric.resultName());
                if (result != null) {
                    values.put(metric, iterations(result.getAsJsonArray("rawData"), fork,
                            metric.isPerOperation() ? batch : 1));
                }
            }
            forks.add(new Measurement.Fork(fork, values));
        }
        return forks;
    }

    private static List<Double> iterations(JsonArray rawData, int fork, int batch) {
        return rawData.get(fork)
                .getAsJsonArray()
                .asList()
                .stream()
                .map(value -> value.getAsDouble() / batch)
                .toList();
    }
}
