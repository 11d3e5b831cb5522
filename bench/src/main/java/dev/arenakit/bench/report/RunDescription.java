package dev.arenakit.bench.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Facts about a run that its result file does not contain.
///
/// @param suite   name of the suite
/// @param title   title of the suite
/// @param machine the machine and the date
/// @param flags   arguments of all JVMs that measured
/// @param start   start time of the run
/// @param notes   cells that have no figure, or a figure that is not to be trusted
/// @param facts   further facts by their names, such as heap and garbage collector; empty in files of earlier versions
/// @param candidateFlags further arguments of the JVMs of some candidates, by the candidates' names
public record RunDescription(String suite, String title, Machine machine, List<String> flags, Instant start,
        List<CellNote> notes, Map<String, String> facts, Map<String, String> candidateFlags) {
    /// Name of the file, in the directory of the results.
    public static final String FILE = "run.json";

    /// Name of the fact with the number and the length of the iterations.
    public static final String ITERATIONS = "Iterations";

    /// Start of the names of facts with heap and garbage collector.
    public static final String HEAP = "Heap";

    private static final Gson GSON = new GsonBuilder().setPrettyPrinting()
            .disableHtmlEscaping()
            .registerTypeAdapter(LocalDate.class, writer())
            .registerTypeAdapter(LocalDate.class, reader(LocalDate::parse))
            .registerTypeAdapter(Instant.class, writer())
            .registerTypeAdapter(Instant.class, reader(Instant::parse))
            .create();

    /// Copies the lists, and rejects null, which a damaged file could contain.
    public RunDescription {
        Objects.requireNonNull(suite, "suite");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(machine, "machine");
        Objects.requireNonNull(start, "start");
        flags = List.copyOf(flags);
        notes = List.copyOf(notes);
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(Objects.requireNonNullElse(facts, Map.of())));
        candidateFlags = Collections
                .unmodifiableMap(new LinkedHashMap<>(Objects.requireNonNullElse(candidateFlags, Map.of())));
    }

    /// {@return the same run with other notes}
    ///
    /// @param others the notes
    RunDescription withNotes(List<CellNote> others) {
        return new RunDescription(suite, title, machine, flags, start, others, facts, candidateFlags);
    }

    /// {@return the same run on another machine}
    ///
    /// @param other the machine
    RunDescription on(Machine other) {
        return new RunDescription(suite, title, other, flags, start, notes, facts, candidateFlags);
    }

    /// {@return the reasons why figures of another run cannot be compared with figures of this run; empty if there are
    /// none}
    ///
    /// The arguments that all JVMs have in common depend on the cells of a run, so arguments are compared cell by cell.
    /// A fact that one of the runs lacks is not compared.
    ///
    /// @param other the other run
    /// @param cells the cells that both have measured
    public List<String> differencesFrom(RunDescription other, Collection<Cell> cells) {
        List<String> differences = new ArrayList<>(machine.differencesFrom(other.machine));
        List<String> ofFlags = cells.stream()
                .map(cell -> flagDifference(other, cell))
                .filter(difference -> !difference.isEmpty())
                .distinct()
                .toList();
        // The heap is determined by the common arguments, which differ between runs with different cells.
        boolean areHeapsComparable = !ofFlags.isEmpty() || Set.copyOf(flags).equals(Set.copyOf(other.flags));
        facts.forEach((name, value) -> {
            boolean isComparable = name.startsWith(HEAP) ? areHeapsComparable : name.equals(ITERATIONS);
            String others = other.facts.getOrDefault(name, value);
            if (isComparable && !value.equals(others)) {
                differences.add(name.toLowerCase(Locale.ROOT) + "=" + value + " instead of " + others);
            }
        });
        differences.addAll(ofFlags);
        return differences;
    }

    private String flagDifference(RunDescription other, Cell cell) {
        Set<List<String>> mine = flagsOf(cell);
        Set<List<String>> others = other.flagsOf(cell);
        if (!Collections.disjoint(mine, others)) {
            return "";
        }
        List<String> now = mine.iterator().next();
        List<String> old = others.iterator().next();
        return "flags=" + without(now, old) + " instead of " + without(old, now);
    }

    /// Returns the sorted arguments of the JVMs of a cell; several lists if the file does not say which of them the
    /// cell has.
    private Set<List<String>> flagsOf(Cell cell) {
        String benchmark = ReportFormat.benchmark(cell.benchmarkClass());
        String further = candidateFlags.getOrDefault(benchmark,
                candidateFlags.getOrDefault(benchmark + ", " + cell.candidate(), ""));
        return Stream.of(further.split(" or ", -1))
                .map(own -> Stream.concat(flags.stream(), Stream.of(own.split(" ")))
                        .filter(flag -> !flag.isEmpty())
                        .distinct()
                        .sorted()
                        .toList())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static String without(List<String> flags, List<String> others) {
        String rest = flags.stream().filter(flag -> !others.contains(flag)).collect(Collectors.joining(" "));
        return rest.isEmpty() ? "none" : rest;
    }

    /// {@return a description of several runs on the machine of the first one}
    ///
    /// If a fact differs, the description has the values of all runs.
    ///
    /// @param runs        the runs
    /// @param differences the reasons why their figures cannot be compared
    static RunDescription joined(List<RunDescription> runs, List<String> differences) {
        RunDescription first = runs.getFirst();
        List<String> common = first.flags.stream()
                .filter(flag -> runs.stream().allMatch(run -> run.flags.contains(flag)))
                .toList();
        Map<String, String> facts = new LinkedHashMap<>();
        runs.stream()
                .flatMap(run -> run.facts.keySet().stream())
                .forEach(name -> facts.putIfAbsent(name,
                        distinct(runs.stream().flatMap(run -> Stream.ofNullable(run.facts.get(name))), "; ")));
        facts.put("Runs", runs.size() + ", started "
                + distinct(runs.stream().map(run -> run.start.truncatedTo(ChronoUnit.SECONDS).toString()), ", "));
        if (!differences.isEmpty()) {
            facts.put("Differences", String.join("; ", differences));
        }
        Map<String, String> further = new LinkedHashMap<>();
        for (RunDescription run : runs) {
            String own = without(run.flags, common);
            if (run.flags.size() > common.size()) {
                further.put("run " + (runs.indexOf(run) + 1), own);
            }
            run.candidateFlags.forEach((name, flags) -> further.merge(name, flags,
                    (one, two) -> one.equals(two) ? one : one + " or " + two));
        }
        String jdks = distinct(runs.stream().flatMap(run -> Stream.of(run.machine.jdk().split(", "))), ", ");
        return new RunDescription(distinct(runs.stream().map(RunDescription::suite), ", "),
                distinct(runs.stream().map(RunDescription::title), "; "), first.machine.with(jdks),
                common, first.start, runs.stream().flatMap(run -> run.notes.stream()).distinct().toList(), facts,
                further);
    }

    private static String distinct(Stream<String> values, String separator) {
        return values.distinct().collect(Collectors.joining(separator));
    }

    /// Writes the file.
    ///
    /// @param directory directory of the results
    /// @throws IOException if the file cannot be written
    public void write(Path directory) throws IOException {
        Files.writeString(directory.resolve(FILE), GSON.toJson(this) + '\n');
    }

    /// Reads the file.
    ///
    /// @param directory directory of the results
    /// @return the description, or empty if there is no such file
    /// @throws IOException if the file exists and cannot be read
    public static Optional<RunDescription> read(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (Files.notExists(file)) {
            return Optional.empty();
        }
        try {
            return Optional
                    .of(Objects.requireNonNull(GSON.fromJson(Files.readString(file), RunDescription.class), "empty"));
        } catch (RuntimeException e) {
            throw new IOException("Not the description of a run: file=" + file + ", reason=" + e.getMessage(), e);
        }
    }

    /// Finds the description of the run that wrote a result file.
    ///
    /// @param resultFile a file in JMH's JSON format
    /// @return the description; empty if there is none, or if the result file does not have the name that runs give it
    /// @throws IOException if the description exists and cannot be read
    public static Optional<RunDescription> of(Path resultFile) throws IOException {
        Path file = resultFile.toAbsolutePath();
        Path directory = file.getParent();
        return directory != null && file.endsWith(Results.FILE) ? read(directory) : Optional.empty();
    }

    private static <T> JsonSerializer<T> writer() {
        return (value, _, _) -> new JsonPrimitive(value.toString());
    }

    private static <T> JsonDeserializer<T> reader(Function<String, T> parse) {
        return (json, _, _) -> {
            try {
                return parse.apply(json.getAsString());
            } catch (DateTimeException e) {
                throw new JsonParseException(e.getMessage(), e);
            }
        };
    }
}
