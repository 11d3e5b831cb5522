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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/// The measurements of a run, read from a result file in JMH's JSON format.
///
/// Every report is made from the file, so that what is shown can be made again, and checked, from what is kept.
///
/// @param measurements in the order of the file
public record Results(List<Measurement> measurements) {
    /// Name of the secondary result that is CPU time per operation in nanoseconds.
    public static final String CPU_TIME = "cpu.time.norm";

    private static final String ALLOCATED = "gc.alloc.rate.norm";

    /// Keeps a copy of its argument.
    public Results {
        measurements = List.copyOf(measurements);
    }

    /// Reads a result file.
    ///
    /// @param file in JMH's JSON format, average time in nanoseconds per operation
    /// @return its measurements
    /// @throws IOException when the file cannot be read, or is not such a file
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
            // What Gson, and whoever looks for a field that is not there, throws on another kind of file.
            throw new IOException("Not a result file of JMH: file=" + file + ", reason=" + e.getMessage(), e);
        } catch (IOException e) {
            throw new IOException("Result file cannot be read: file=" + file + ", reason=" + e.getMessage(), e);
        }
    }

    /// Finds what was measured in a cell.
    ///
    /// @param cell who answered what
    /// @return the measurement, if there is one
    public Optional<Measurement> find(Cell cell) {
        return measurements.stream().filter(measurement -> measurement.cell().equals(cell)).findFirst();
    }

    /// Finds what a measurement is to be compared with.
    ///
    /// @param measurement of any contestant
    /// @return what was measured of the question's baseline under the same conditions, if it was
    public Optional<Measurement> baselineOf(Measurement measurement) {
        return measurements.stream()
                .filter(other -> other.cell().isComparableWith(measurement.cell()) && other.cell().isBaseline())
                .findFirst();
    }

    /// {@return the questions, in the order of the file}
    public List<String> questions() {
        return measurements.stream().map(measurement -> measurement.cell().question()).distinct().toList();
    }

    /// {@return the results of one question}
    ///
    /// @param question name of the benchmark class
    public Results of(String question) {
        return new Results(
                measurements.stream().filter(measurement -> measurement.cell().question().equals(question)).toList());
    }

    private static Measurement measurement(JsonObject result) {
        String benchmark = result.get("benchmark").getAsString();
        int method = benchmark.lastIndexOf('.');
        Map<String, String> params = new HashMap<>();
        JsonObject given = result.getAsJsonObject("params");
        if (given != null) {
            given.entrySet().forEach(param -> params.put(param.getKey(), param.getValue().getAsString()));
        }
        return new Measurement(new Cell(benchmark.substring(0, method), benchmark.substring(method + 1), params),
                forks(result));
    }

    private static List<Measurement.Fork> forks(JsonObject result) {
        JsonObject primary = result.getAsJsonObject("primaryMetric");
        if (!primary.get("scoreUnit").getAsString().equals("ns/op")) {
            throw new IllegalArgumentException("Unit not understood: benchmark=" + result.get("benchmark")
                    + ", scoreUnit=" + primary.get("scoreUnit") + "; measure the average time in ns/op");
        }
        JsonObject secondary = result.getAsJsonObject("secondaryMetrics");
        JsonArray times = primary.getAsJsonArray("rawData");
        List<Measurement.Fork> forks = new ArrayList<>();
        for (int fork = 0; fork < times.size(); fork++) {
            double[] nanos = iterations(times, fork);
            forks.add(new Measurement.Fork(Measurement.median(nanos), DoubleStream.of(nanos).min().orElseThrow(),
                    DoubleStream.of(nanos).max().orElseThrow(), medianOf(secondary.getAsJsonObject(CPU_TIME), fork),
                    medianOf(secondary.getAsJsonObject(ALLOCATED), fork)));
        }
        return forks;
    }

    private static double medianOf(@Nullable JsonObject metric, int fork) {
        return metric == null
                ? Double.NaN
                : Measurement.median(iterations(metric.getAsJsonArray("rawData"), fork));
    }

    private static double[] iterations(JsonArray rawData, int fork) {
        return rawData.get(fork).getAsJsonArray().asList().stream().mapToDouble(JsonElement::getAsDouble).toArray();
    }
}
