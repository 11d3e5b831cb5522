package dev.arenakit.bench;

import dev.arenakit.bench.contestant.Contestants;
import dev.arenakit.bench.question.Session;
import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A named set of cells that are measured together.
///
/// @param name             what the command line calls it
/// @param title            what it shows, in a line
/// @param forks            how many JVMs each cell gets
/// @param warmup           what each JVM does before it measures
/// @param measurement      what each JVM measures
/// @param cells            in the order in which they run and are shown
/// @param targets          what is asked of them
record Suite(String name, String title, int forks, Iterations warmup, Iterations measurement, List<Cell> cells,
        List<Target> targets) {

    private static final int QUOTABLE_FORKS = 5;

    /// Some iterations of the same length.
    record Iterations(int count, Duration each) {
        Duration total() {
            return each.multipliedBy(count);
        }

        @Override
        public String toString() {
            return count + " x " + each.toMillis() + " ms";
        }
    }

    Suite {
        cells = List.copyOf(cells);
        targets = List.copyOf(targets);
    }

    /// Whether the figures are not to be quoted.
    boolean quick() {
        return forks < QUOTABLE_FORKS;
    }

    Suite withForks(int count) {
        return new Suite(name, title, count, warmup, measurement, cells, targets);
    }

    /// Some of the cells, and the targets that they suffice for.
    Suite withCells(List<Cell> some) {
        List<Target> reachable = targets.stream()
                .filter(target -> some.contains(target.cell()) && some.contains(target.opponent()))
                .toList();
        return new Suite(name, title, forks, warmup, measurement, some, reachable);
    }

    /// Further arenas, wherever arenas are compared.
    Suite withProviders(List<String> providers) {
        List<Cell> more = new ArrayList<>();
        for (Cell cell : cells) {
            more.add(cell);
            if (cell.contestant().equals(Contestants.OF_CONFINED) && cell.method().equals(Cell.ARENA)) {
                providers.forEach(provider -> more.add(cell.by(provider)));
            }
        }
        return withCells(more.stream().distinct().toList());
    }

    /// Other work for the arenas of the suite, instead of all that it has.
    Suite withWorkloads(List<String> workloads) {
        List<String> providers = cells.stream()
                .filter(cell -> cell.method().equals(Cell.ARENA))
                .map(Cell::contestant)
                .distinct()
                .toList();
        return withCells(Grid.of(Session.class)
                .with("workload", workloads.toArray(String[]::new))
                .arenas(providers.toArray(String[]::new))
                .cells()
                .toList());
    }
}
