package dev.arenakit.bench;

import dev.arenakit.bench.report.Metric;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.profile.ProfilerException;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.runner.IterationType;

/// A JMH profiler that reports the growth of the process's resident size since the first operation, and the page faults
/// per operation. It reads `/proc`, which only Linux has.
///
/// The JVM needs a heap whose pages have all been touched. Otherwise each page of the heap becomes resident at its
/// first use.
public final class MemoryProfiler implements InternalProfiler {
    /// Arguments of a JVM whose heap has a fixed size and is resident from the start.
    static final List<String> TOUCHED_HEAP = List.of("-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch");

    private static final Path PROCESS = Path.of("/proc/self");
    // Positions after the name of the program, which may contain blanks.
    private static final int MINOR_FAULTS = 8;
    private static final int MAJOR_FAULTS = 10;
    private static final long KIB = 1024;

    private long atStart = -1;
    private boolean isMeasuring;
    private long faultsBefore;

    /// Called by JMH, by reflection.
    ///
    /// @throws ProfilerException if the system does not report the resident size
    public MemoryProfiler() throws ProfilerException {
        if (!Files.isReadable(PROCESS.resolve("smaps_rollup"))) {
            throw new ProfilerException("The resident size is known on Linux only");
        }
    }

    @Override
    public String getDescription() {
        return "Resident size and page faults";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        try {
            if (atStart < 0) {
                atStart = residentByteSize();
            }
            if (iteration.getType() == IterationType.MEASUREMENT && !isMeasuring) {
                isMeasuring = true;
                // This resets the largest resident size.
                Files.writeString(PROCESS.resolve("clear_refs"), "5");
            }
            faultsBefore = faults(Files.readString(PROCESS.resolve("stat")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(BenchmarkParams benchmark, IterationParams iteration,
            IterationResult result) {
        long operations = result.getMetadata().getAllOps();
        if (operations == 0 || iteration.getType() == IterationType.WARMUP) {
            return List.of();
        }
        try {
            long faults = faults(Files.readString(PROCESS.resolve("stat"))) - faultsBefore;
            long peak = size(Files.readAllLines(PROCESS.resolve("status")), "VmHWM:");
            return List.of(scalar(Metric.PAGE_FAULTS, (double) faults / operations, "#/op"),
                    scalar(Metric.RESIDENT_PEAK, (double) Math.max(0, peak - atStart), "B"),
                    scalar(Metric.RESIDENT_RETAINED, (double) Math.max(0, residentByteSize() - atStart), "B"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Result<?> scalar(Metric metric, double value, String unit) {
        return new ScalarResult(metric.resultName(), value, unit, AggregationPolicy.AVG);
    }

    /// Returns the minor and major faults in the content of a file `stat`.
    static long faults(String stat) {
        List<String> values = Pattern.compile(" ").splitAsStream(stat.substring(stat.lastIndexOf(')') + 2)).toList();
        return Long.parseLong(values.get(MINOR_FAULTS - 1)) + Long.parseLong(values.get(MAJOR_FAULTS - 1));
    }

    /// Returns the resident size. Unlike the value in `status`, it is exact.
    static long residentByteSize() throws IOException {
        return size(Files.readAllLines(PROCESS.resolve("smaps_rollup")), "Rss:");
    }

    /// Returns a size in bytes. The file has the size in KiB, in a line of its own.
    static long size(List<String> lines, String name) {
        return KIB * lines.stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
    }
}
