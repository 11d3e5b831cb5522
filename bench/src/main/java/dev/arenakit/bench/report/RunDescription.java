package dev.arenakit.bench.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import com.google.gson.annotations.SerializedName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/// Facts about a run that its result file does not contain.
///
/// @param suite   name of the suite
/// @param title   title of the suite
/// @param preliminary whether the run had too few forks for its figures to be quoted; `quick` in files of earlier
///        versions
/// @param machine the machine and the date
/// @param flags   arguments of all JVMs that measured
/// @param start   start time of the run
/// @param notes   cells that have no figure, or a figure that is not to be trusted
/// @param facts   further facts by their names, such as heap and garbage collector; empty in files of earlier versions
/// @param candidateFlags further arguments of the JVMs of some candidates, by the names of these
public record RunDescription(String suite, String title,
        @SerializedName(value = "preliminary", alternate = "quick") boolean preliminary, Machine machine,
        List<String> flags, Instant start,
        List<CellNote> notes, Map<String, String> facts, Map<String, String> candidateFlags) {
    /// Name of the file, in the directory of the results.
    public static final String FILE = "run.json";

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
        return new RunDescription(suite, title, preliminary, machine, flags, start, others, facts, candidateFlags);
    }

    /// {@return a description of several runs on the machine of this one}
    ///
    /// @param suites names of the suites
    /// @param titles titles of the suites
    /// @param jdks   names of the JDKs
    RunDescription joined(String suites, String titles, String jdks) {
        return new RunDescription(suites, titles, preliminary, new Machine(machine.processor(), machine.system(), jdks,
                machine.date(), machine.loadAverage()), flags, start, notes, facts, candidateFlags);
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
    /// @return the description, or empty if there is none: it is beside a file with the name that runs give it
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
