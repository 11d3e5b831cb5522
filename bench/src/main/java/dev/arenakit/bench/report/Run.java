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
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/// What a result file does not say of the run that wrote it.
///
/// @param suite   name of the suite
/// @param title   what the suite shows, in a line
/// @param quick   whether the run was too short for its figures to be quoted
/// @param machine where and on which day
/// @param flags   arguments of the JVMs that measured
/// @param start   when the run began
/// @param missing what has no figure, or one that is not to be trusted
public record Run(String suite, String title, boolean quick, Machine machine, List<String> flags, Instant start,
        List<Missing> missing) {
    /// The name of the file, beside that of the results.
    public static final String FILE = "run.json";

    private static final Gson GSON = new GsonBuilder().setPrettyPrinting()
            .disableHtmlEscaping()
            .registerTypeAdapter(LocalDate.class, writer())
            .registerTypeAdapter(LocalDate.class, reader(LocalDate::parse))
            .registerTypeAdapter(Instant.class, writer())
            .registerTypeAdapter(Instant.class, reader(Instant::parse))
            .create();

    /// Keeps copies of the lists, and refuses null, which a damaged file could hold.
    public Run {
        Objects.requireNonNull(suite, "suite");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(machine, "machine");
        Objects.requireNonNull(start, "start");
        flags = List.copyOf(flags);
        missing = List.copyOf(missing);
    }

    /// Writes the file.
    ///
    /// @param directory where the results are
    /// @throws IOException when it cannot be written
    public void write(Path directory) throws IOException {
        Files.writeString(directory.resolve(FILE), GSON.toJson(this) + '\n');
    }

    /// Reads the file.
    ///
    /// @param directory where the results are
    /// @return what it says, or nothing where there is no such file
    /// @throws IOException when it is there and cannot be read
    public static Optional<Run> read(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (Files.notExists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Objects.requireNonNull(GSON.fromJson(Files.readString(file), Run.class), "empty"));
        } catch (RuntimeException e) {
            throw new IOException("Not the description of a run: file=" + file + ", reason=" + e.getMessage(), e);
        }
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
