package dev.arenakit.bench.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Several runs on one machine, as if they were one.
///
/// The rounds of a file are numbered after the rounds of the previous file, so forks are paired only with forks of the
/// same file. If the runs are of several JDKs, the JDK becomes a parameter of each cell.
///
/// @param results     the measurements of all files
/// @param description the description of all runs, with a warning if they are not comparable
public record JoinedRuns(Results results, RunDescription description) {
    /// Reads and joins runs.
    ///
    /// @param files their result files
    /// @return all of them
    /// @throws IOException if a file cannot be read
    /// @throws IllegalArgumentException if the runs are from different machines, or a run is given twice
    public static JoinedRuns of(List<Path> files) throws IOException {
        List<Results> results = new ArrayList<>();
        List<RunDescription> runs = new ArrayList<>();
        for (Path file : files) {
            Results read = Results.read(file);
            // Two different runs never have exactly the same times.
            if (!read.measurements().isEmpty() && results.contains(read)) {
                throw new IllegalArgumentException("The same run is given twice: file=" + file);
            }
            results.add(read);
            runs.add(RunDescription.of(file));
        }
        List<String> machines = distinct(runs, RunDescription.MACHINE);
        if (machines.size() > 1) {
            throw new IllegalArgumentException("The runs are of different machines: machines=" + machines);
        }
        boolean hasSeveralJdks = distinct(runs, RunDescription.JDK).size() > 1;
        List<String> differences = new ArrayList<>();
        List<CellNote> notes = new ArrayList<>();
        Map<Cell, Measurement> measurements = new LinkedHashMap<>();
        int earlier = 0;
        for (int i = 0; i < runs.size(); i++) {
            String jdk = runs.get(i).facts().getOrDefault(RunDescription.JDK, "unknown JDK");
            int rounds = earlier;
            for (Measurement measurement : results.get(i).measurements()) {
                Cell cell = hasSeveralJdks ? on(jdk, measurement.cell()) : measurement.cell();
                measurements.merge(cell, new Measurement(cell, measurement.jdk(),
                        measurement.forks().stream().map(fork -> fork.later(rounds)).toList()), Measurement::and);
                earlier = Math.max(earlier, rounds + measurement.forks().size());
            }
            for (CellNote note : runs.get(i).notes()) {
                notes.add(hasSeveralJdks ? new CellNote(on(jdk, note.cell()), note.why(), note.kind()) : note);
            }
            List<String> found = i == 0
                    ? new ArrayList<>()
                    : runs.get(i).differencesFrom(runs.getFirst(), RunDescription.COMMIT);
            if (hasSeveralJdks) {
                // The JDKs are shown side by side, so they are no difference.
                found.removeIf(difference -> difference.startsWith("jdk="));
            }
            if (!found.isEmpty()) {
                differences.add("run " + (i + 1) + " is not comparable with run 1: " + String.join(", ", found));
            }
        }
        RunDescription joined = RunDescription.joined(runs);
        Map<String, String> facts = new LinkedHashMap<>(joined.facts());
        if (!differences.isEmpty()) {
            facts.put(RunDescription.DIFFERENCES, String.join("; ", differences));
        }
        return new JoinedRuns(
                new Results(List.copyOf(measurements.values())),
                new RunDescription(joined.suite(), joined.title(), facts, notes.stream().distinct().toList()));
    }

    private static Cell on(String jdk, Cell cell) {
        return cell.params().containsKey(Cell.JDK) ? cell : cell.on(jdk);
    }

    private static List<String> distinct(List<RunDescription> runs, String fact) {
        return runs.stream().map(run -> run.facts().get(fact)).filter(Objects::nonNull).distinct().toList();
    }
}
