package dev.arenakit.bench.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/// Facts about a run that its result file does not contain.
///
/// @param suite name of the suite
/// @param title title of the suite
/// @param facts what the figures depend on, by name, in the order of the report
/// @param notes cells that have no figure, or a figure that is not to be trusted
public record RunDescription(String suite, String title, Map<String, String> facts, List<CellNote> notes) {
    /// Name of the file, in the directory of the results.
    public static final String FILE = "run.json";

    /// Name of the fact with processor and number of processors.
    public static final String MACHINE = "Machine";
    /// Name of the fact with the JDK that measured, or with several.
    public static final String JDK = "JDK";
    /// Name of the fact with the time at which the run began.
    public static final String DATE = "Date";
    /// Name of the fact with the arguments of all JVMs that measured.
    public static final String FLAGS = "Flags";
    /// Name of the fact with the number and the length of the iterations.
    public static final String ITERATIONS = "Iterations";
    /// Name of the fact with the load before the run, if the machine was busy.
    public static final String LOAD = "Load";

    private static final List<String> COMPARED = List.of(MACHINE, JDK, FLAGS, ITERATIONS);

    private static final RunDescription MISSING = new RunDescription("", "Benchmark results", Map.of(), List.of());

    private static final Gson GSON = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    /// Copies the collections, and rejects null, which a damaged file could contain.
    public RunDescription {
        Objects.requireNonNull(suite, "suite");
        Objects.requireNonNull(title, "title");
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
        notes = List.copyOf(notes);
    }

    /// {@return the reasons why figures of another run cannot be compared with figures of this run; empty if there are
    /// none}
    ///
    /// A fact that is missing in one run is a difference. A run without a description is not compared.
    ///
    /// @param other the other run
    public List<String> differencesFrom(RunDescription other) {
        List<String> differences = new ArrayList<>();
        if (isMissing() || other.isMissing()) {
            return differences;
        }
        for (String name : COMPARED) {
            String mine = facts.getOrDefault(name, "unknown");
            String others = other.facts.getOrDefault(name, "unknown");
            if (!mine.equals(others)) {
                differences.add(name.toLowerCase(Locale.ROOT) + "=" + mine + " instead of " + others);
            }
        }
        return differences;
    }

    /// {@return the reasons to doubt all figures, a sentence each}
    public List<String> warnings() {
        return Stream.ofNullable(facts.get(LOAD)).map(fact -> "The machine was busy before the run: " + fact).toList();
    }

    /// {@return whether there is no description beside the results}
    public boolean isMissing() {
        return equals(MISSING);
    }

    /// Writes the file.
    ///
    /// @param directory directory of the results
    /// @throws IOException if the file cannot be written
    public void write(Path directory) throws IOException {
        Files.writeString(directory.resolve(FILE), GSON.toJson(this) + '\n');
    }

    /// Reads the description of the run that wrote a result file.
    ///
    /// @param resultFile a file in JMH's JSON format
    /// @return the description; one without facts if there is no such file beside the results
    /// @throws IOException if the description exists and cannot be read
    public static RunDescription of(Path resultFile) throws IOException {
        Path file = resultFile.toAbsolutePath().resolveSibling(FILE);
        if (Files.notExists(file) || !resultFile.endsWith(Results.FILE)) {
            return MISSING;
        }
        try {
            return Objects.requireNonNull(GSON.fromJson(Files.readString(file), RunDescription.class), "empty");
        } catch (RuntimeException e) {
            throw new IOException("Not the description of a run: file=" + file + ", reason=" + e.getMessage(), e);
        }
    }
}
