package dev.arenakit.bench;

import dev.arenakit.bench.candidate.Candidates;
import dev.arenakit.bench.micro.arena.Escaping;
import dev.arenakit.bench.replay.ReplayProfiler;
import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.profile.Profiler;

/// A named set of cells that are measured together.
///
/// @param name        name on the command line
/// @param title       title in the report, one line
/// @param kind        what is measured
/// @param forks       number of JVMs for each cell
/// @param warmup      the fewest warm-up iterations of each JVM; there are at most [SteadyStateProfiler#LONGEST] times as many
/// @param measurement measured iterations of each JVM
/// @param cells       the cells, in the order in which they run and are shown
/// @param targets     targets for some of the cells
record Suite(String name, String title, Kind kind, int forks, Iterations warmup, Iterations measurement,
        List<Cell> cells, List<Target> targets) {

    /// The usual warm-up.
    static final Iterations WARM_UP = new Iterations(6, Duration.ofMillis(500));

    /// The usual measurement.
    static final Iterations SHORT = new Iterations(6, Duration.ofMillis(150));

    /// The kind of a suite: the values that it measures besides the time of an operation.
    enum Kind {
        /// No further values.
        TIME,
        /// How long the slowest operations take.
        TAILS,
        /// The memory and the slowest steps of a replay.
        REPLAY;

        /// Returns the profilers in the order in which they are started; they are stopped in the reverse order.
        List<Class<? extends Profiler>> profilers() {
            return switch (this) {
                case TIME -> List.of(GCProfiler.class, CpuTimeProfiler.class);
                case TAILS -> List.of(GCProfiler.class, CpuTimeProfiler.class, LatencyProfiler.class);
                // The additional runs of a replay are measured by no other profiler.
                case REPLAY -> List.of(ReplayProfiler.class, GCProfiler.class, CpuTimeProfiler.class);
            };
        }
    }

    /// Some iterations of the same length.
    record Iterations(int count, Duration each) {
        private static final Pattern TEXT = Pattern.compile("(\\d{1,4})x(\\d{1,6})");

        /// Parses a number of iterations and their length in milliseconds, such as `5x200`.
        static Iterations parse(String text) {
            Matcher matcher = TEXT.matcher(text);
            if (!matcher.matches() || matcher.group(1).matches("0+") || matcher.group(2).matches("0+")) {
                throw new IllegalArgumentException(
                        "not a number of iterations and of milliseconds each, such as 5x200");
            }
            return new Iterations(Integer.parseInt(matcher.group(1)), Duration.ofMillis(Long.parseLong(
                    matcher.group(2))));
        }

        Duration total() {
            return each.multipliedBy(count);
        }

        @Override
        public String toString() {
            return count + " x " + each.toMillis() + " ms";
        }
    }

    /// Creates a suite that measures times.
    Suite(String name, String title, int forks, Iterations warmup, Iterations measurement, List<Cell> cells,
            List<Target> targets) {
        this(name, title, Kind.TIME, forks, warmup, measurement, cells, targets);
    }

    Suite {
        cells = List.copyOf(cells);
        targets = List.copyOf(targets);
    }

    /// Returns how long a JVM warms up, as text.
    String warmupRange() {
        return warmup.count() + " to " + new Iterations(SteadyStateProfiler.LONGEST * warmup.count(), warmup.each());
    }

    Suite withForks(int count) {
        return new Suite(name, title, kind, count, warmup, measurement, cells, targets);
    }

    Suite withIterations(Iterations warming, Iterations measuring) {
        return new Suite(name, title, kind, forks, warming, measuring, cells, targets);
    }

    /// Returns a suite of some of the cells. It has the targets whose cells are all in the new suite.
    Suite withCells(List<Cell> some) {
        List<Target> reachable = targets.stream()
                .filter(target -> some.contains(target.cell()) && some.contains(target.opponent()))
                .toList();
        return new Suite(name, title, kind, forks, warmup, measurement, some, reachable);
    }

    /// Returns a suite with further arenas, wherever arenas are compared.
    Suite withProviders(List<String> providers) {
        List<Cell> more = new ArrayList<>();
        for (Cell cell : cells) {
            more.add(cell);
            if (cell.candidate().equals(Candidates.OF_CONFINED) && cell.method().equals(Cell.ARENA)) {
                providers.forEach(provider -> more.add(cell.by(provider)));
            }
        }
        return withCells(more.stream().distinct().toList());
    }

    /// Returns a suite that measures other workloads, in each kind of thread and with each arena of this suite.
    /// Candidates that are not arenas, and one way to escape, support the workloads of this project only.
    Suite withWorkloads(List<String> workloads) {
        Map<String, List<Cell>> arenas = cells.stream()
                .filter(cell -> cell.method().equals(Cell.ARENA) && cell.params().containsKey(Cell.WORKLOAD)
                        && !cell.params().containsValue(Escaping.STORED))
                .collect(Collectors.groupingBy(Cell::benchmarkClass, LinkedHashMap::new, Collectors.toList()));
        return withCells(arenas.values()
                .stream()
                .flatMap(some -> workloads.stream()
                        .flatMap(workload -> some.stream().map(cell -> cell.with(Cell.WORKLOAD, workload))))
                .distinct()
                .toList());
    }
}
