package dev.arenakit.bench;

import dev.arenakit.bench.candidate.Candidates;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.report.TextTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/// The memory of a process whose virtual threads have an arena open, and the time to open them. JMH measures time only,
/// so this is not a benchmark of a suite.
///
/// Each candidate has processes of its own, which take turns.
///
/// @param pool     the figures of a default pool, one for each process
/// @param confined the figures of `Arena.ofConfined`
record Footprint(List<Figures> pool, List<Figures> confined) {
    private static final double MIB = 1 << 20;
    private static final double MILLIS = 1e6;

    /// What one process has measured. The sizes are in bytes.
    ///
    /// @param openNanos         the time from the start of the first thread until 5,000 arenas were open, in
    ///                          nanoseconds; each arena had one block of 32 bytes
    /// @param residentByteSize  the growth of the resident size in this time
    /// @param trimmedByteSize   what `trim()` has returned after another 1,000 arenas, which had used all of
    ///                          their slabs; 0 if there is no pool
    /// @param returnedByteSize  by how much the resident size fell during `trim()`
    record Figures(long openNanos, long residentByteSize, long trimmedByteSize, long returnedByteSize) {
        String toLine() {
            return openNanos + " " + residentByteSize + " " + trimmedByteSize + " " + returnedByteSize;
        }

        private static Figures parse(String line) {
            long[] values = Stream.of(line.strip().split(" ")).mapToLong(Long::parseLong).toArray();
            return new Figures(values[0], values[1], values[2], values[3]);
        }
    }

    /// Measures with some processes for each candidate.
    static Footprint measure(int forks) {
        List<Figures> pool = new ArrayList<>();
        List<Figures> confined = new ArrayList<>();
        for (int i = 0; i < forks; i++) {
            confined.add(measure(Candidates.OF_CONFINED));
            pool.add(measure(Candidates.SLAB));
        }
        return new Footprint(pool, confined);
    }

    private static Figures measure(String candidate) {
        try {
            Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    JvmArgs.NATIVE_ACCESS, "-cp", System.getProperty("java.class.path"),
                    FootprintProcess.class.getName(), candidate).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exitCode = process.waitFor();
            if (exitCode != 0) {
                throw new IllegalStateException("Measuring failed: candidate=" + candidate + ", exitCode=" + exitCode);
            }
            return Figures.parse(printed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// The part of what `trim()` returns by which the resident size fell, the median.
    double returnedPart() {
        return median(pool, figures -> (double) figures.returnedByteSize / figures.trimmedByteSize);
    }

    /// {@return a table, and a line about `trim()`}
    @Override
    public String toString() {
        TextTable table = new TextTable("5,000 virtual threads, 32 B each", ">resident MiB", ">min..max",
                ">ms to open", ">min..max");
        table.add(row(Candidates.OF_CONFINED, confined));
        table.add(row(Candidates.SLAB, pool));
        return table + String.format(Locale.ROOT,
                "trim() after 1,000 full slabs: %.1f MiB reported, resident size less by %.1f MiB (%.0f %%)%n",
                median(pool, figures -> figures.trimmedByteSize / MIB),
                median(pool, figures -> figures.returnedByteSize / MIB), 100 * returnedPart());
    }

    private static String[] row(String candidate, List<Figures> forks) {
        ToDoubleFunction<Figures> resident = figures -> figures.residentByteSize / MIB;
        ToDoubleFunction<Figures> millis = figures -> figures.openNanos / MILLIS;
        return new String[]{candidate, text(median(forks, resident)), range(forks, resident),
                text(median(forks, millis)), range(forks, millis)};
    }

    private static double median(List<Figures> forks, ToDoubleFunction<Figures> value) {
        double[] sorted = forks.stream().mapToDouble(value).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static String range(List<Figures> forks, ToDoubleFunction<Figures> value) {
        return text(forks.stream().mapToDouble(value).min().orElseThrow()) + ".."
                + text(forks.stream().mapToDouble(value).max().orElseThrow());
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
