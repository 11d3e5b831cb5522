package dev.arenakit.bench.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Several runs on one machine, as if they were one.
///
/// The rounds of a file are numbered after the rounds of the previous file, so forks are paired only with forks of the
/// same file. If the runs are of several JDKs, the JDK becomes a parameter of each cell.
///
/// @param results     the measurements of all files
/// @param description the description of the runs that have one; empty if none has
/// @param differences the reasons why the figures of some runs cannot be compared, such as another heap or other
///                    iterations
public record JoinedRuns(Results results, Optional<RunDescription> description, List<String> differences) {
    /// Copies the list.
    public JoinedRuns {
        differences = List.copyOf(differences);
    }

    private record Run(Results results, Optional<RunDescription> description) {
        Run on(String jdk) {
            return new Run(new Results(results.measurements()
                    .stream()
                    .map(measurement -> new Measurement(on(measurement.cell(), jdk), measurement.forks()))
                    .toList()), description.map(
                            run -> run.withNotes(run.notes()
                                    .stream()
                                    .map(note -> new CellNote(on(note.cell(), jdk), note.why(), note.kind()))
                                    .toList())));
        }

        private static Cell on(Cell cell, String jdk) {
            return cell.params().containsKey(Cell.JDK) ? cell : cell.on(jdk);
        }

        /// Runs of several JDKs are shown side by side, so the JDK is no difference.
        List<String> differencesFrom(Run other) {
            if (description.isEmpty() || other.description.isEmpty()) {
                return List.of();
            }
            RunDescription mine = description.orElseThrow();
            RunDescription others = other.description.orElseThrow();
            return mine.on(others.machine())
                    .differencesFrom(others, results.measurements()
                            .stream()
                            .map(Measurement::cell)
                            .filter(cell -> other.results.find(cell).isPresent())
                            .toList());
        }

        int rounds() {
            return results.measurements()
                    .stream()
                    .flatMap(measurement -> measurement.forks().stream())
                    .mapToInt(fork -> fork.round() + 1)
                    .max()
                    .orElse(0);
        }
    }

    /// Reads and joins runs.
    ///
    /// @param files their result files
    /// @return all of them
    /// @throws IOException if a file cannot be read
    /// @throws IllegalArgumentException if the runs are from different machines, or a run is given twice
    public static JoinedRuns of(List<Path> files) throws IOException {
        List<Run> runs = new ArrayList<>();
        for (Path file : files) {
            Run run = new Run(Results.read(file), RunDescription.of(file));
            // Two different runs never have exactly the same times.
            if (!run.results.measurements().isEmpty()
                    && runs.stream().anyMatch(other -> other.results.equals(run.results))) {
                throw new IllegalArgumentException("The same run is given twice: file=" + file);
            }
            runs.add(run);
        }
        List<Machine> machines = runs.stream()
                .flatMap(run -> run.description.stream())
                .map(RunDescription::machine)
                .toList();
        if (machines.stream().map(Machine::processor).distinct().count() > 1) {
            throw new IllegalArgumentException("The runs are of different machines: processors="
                    + machines.stream().map(Machine::processor).distinct().toList());
        }
        if (machines.stream().map(Machine::jdk).distinct().count() > 1) {
            runs.replaceAll(run -> run.on(run.description.map(RunDescription::machine)
                    .map(Machine::jdk)
                    .orElse("unknown JDK")));
        }
        List<String> differences = differences(runs);
        return new JoinedRuns(results(runs), description(runs, differences), differences);
    }

    private static Results results(List<Run> runs) {
        Map<Cell, List<Fork>> forks = new LinkedHashMap<>();
        int earlier = 0;
        for (Run run : runs) {
            for (Measurement measurement : run.results.measurements()) {
                List<Fork> all = forks.computeIfAbsent(measurement.cell(), _ -> new ArrayList<>());
                for (Fork fork : measurement.forks()) {
                    all.add(fork.later(earlier));
                }
            }
            earlier += run.rounds();
        }
        return new Results(forks.entrySet()
                .stream()
                .map(entry -> new Measurement(entry.getKey(), entry.getValue()))
                .toList());
    }

    private static Optional<RunDescription> description(List<Run> runs, List<String> differences) {
        List<RunDescription> all = runs.stream().flatMap(run -> run.description.stream()).toList();
        return all.size() < 2 ? all.stream().findFirst() : Optional.of(RunDescription.joined(all, differences));
    }

    /// Compares each run with the first earlier run that it differs from.
    private static List<String> differences(List<Run> runs) {
        List<String> differences = new ArrayList<>();
        for (int later = 1; later < runs.size(); later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                List<String> found = runs.get(later).differencesFrom(runs.get(earlier));
                if (!found.isEmpty()) {
                    differences.add("run " + (later + 1) + " is not comparable with run " + (earlier + 1) + ": "
                            + String.join(", ", found));
                    break;
                }
            }
        }
        return differences;
    }

    /// {@return the notes of all runs}
    public List<CellNote> notes() {
        return Report.notes(results, description.map(RunDescription::notes).orElse(List.of()));
    }
}
