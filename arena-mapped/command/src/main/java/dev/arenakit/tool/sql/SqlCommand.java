package dev.arenakit.tool.sql;

import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.console.Interruption;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `arena sql`.
@Command(name = "sql", sortOptions = false,
        description = {"Executes queries in SQL over the allocations of images, with DuckDB.",
                "Each allocation with a type is a table, whose columns are rowid, the index of the struct, and the"
                        + " fields. Structs whose bytes are all zero are no rows. Without SQL, statements are read from"
                        + " a prompt, or from standard input.",
                "SQL can read and write every file that you can, also those of the image; execute statements that you"
                        + " do not trust with --safe."},
        footer = {"", "Examples:",
                "  arena sql prices 'select symbol, sum(quantity) from trades group by 1'",
                "  arena sql prices --as noon=prices-at-noon \\",
                "    'select * from trades join noon.trades n using (rowid)'",
                "  arena sql prices \"copy (from trades where price > 9) to 'trades.parquet'\"",
                "  arena sql prices                                  a prompt",
                "  arena sql prices --csv < queries.sql > results.csv"})
public final class SqlCommand implements Callable<Integer> {
    private static final List<String> TAKEN_NAMES = List.of(SqlSession.MAIN, "memory", "temp", "system", "pg_catalog",
            "information_schema");

    /// The further images, by the names of their schemas.
    private final Map<String, Path> images = new LinkedHashMap<>();

    /// The forms of the result, apart from a table.
    private static final class Form {
        @Option(names = "--csv", required = true, description = "print comma-separated values, with a header")
        private boolean csv;

        @Option(names = "--json", required = true, description = "print JSON, one object per line")
        private boolean json;
    }

    @ArgGroup(exclusive = true)
    private Form form = new Form();

    @Option(names = "--as", paramLabel = "NAME=BASE",
            description = "add the tables of another image, as NAME.TABLE; can be repeated")
    private List<String> others = new ArrayList<>();

    @Option(names = "--zeros", description = "include structs whose bytes are all zero, of all images")
    private boolean zeros;

    @Option(names = "--safe", description = "refuse statements that access files, other databases or extensions")
    private boolean safe;

    @Option(names = "--duckdb", paramLabel = "PATH",
            description = "the library of DuckDB, libduckdb, or the jar duckdb_jdbc; default: that of the environment"
                    + " variable ARENAKIT_DUCKDB")
    private Optional<Path> library = Optional.empty();

    @Parameters(index = "0", paramLabel = "BASE", description = "the base of an image")
    private Path base = Path.of("");

    @Parameters(index = "1", arity = "0..1", paramLabel = "SQL", description = "statements, separated by semicolons")
    private Optional<String> sql = Optional.empty();

    @Mixin
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandFrame frame;

    @Override
    public Integer call() throws IOException {
        try {
            return frame.run(base, this::run);
        } catch (OutOfMemoryError e) {
            frame.report("out of memory: " + e.getMessage()
                    + "; run the command with a larger heap, java -Xmx1g -jar");
            return ExitCodes.PROBLEM;
        }
    }

    private int run() throws IOException {
        others.forEach(this::addOther);
        if (sql.isEmpty() && frame.streams().canAsk()) {
            try (SqlSession session = open()) {
                if (session == null || !addImages(session)) {
                    return ExitCodes.PROBLEM;
                }
                new SqlPrompt(session, new SqlRunner(session, form())).run();
                return ExitCodes.OK;
            }
        }
        // If the user interrupts the command, the process waits until the engine has stopped.
        try (Interruption interruption = new Interruption(); SqlSession session = open()) {
            if (session == null) {
                return ExitCodes.PROBLEM;
            }
            interruption.onInterrupt(session::cancel);
            boolean isFine = addImages(session) && execute(session);
            return ExitCodes.of(isFine && !session.hasProblems());
        }
    }

    /// Adds a further image, whose tables have a schema of their own.
    ///
    /// @param option a value of the option, `NAME=BASE`
    private void addOther(String option) {
        int end = option.indexOf('=');
        if (end < 0) {
            throw frame.invalidValue("--as", option, "is not NAME=BASE");
        }
        String name = option.substring(0, end);
        if (name.isEmpty() || TAKEN_NAMES.stream().anyMatch(name::equalsIgnoreCase)) {
            throw frame.invalidValue("--as", name, "is no free name of a schema of DuckDB; choose another");
        }
        if (images.keySet().stream().anyMatch(name::equalsIgnoreCase)) {
            throw frame.invalidValue("--as", name, "is the name of another image");
        }
        images.put(name, Path.of(option.substring(end + 1)));
    }

    private @Nullable SqlSession open() {
        try {
            return SqlSession.open(frame.streams(), library);
        } catch (IOException e) {
            frame.report(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private boolean addImages(SqlSession session) throws IOException {
        boolean isFine = add(session, SqlSession.MAIN, base);
        for (Map.Entry<String, Path> other : images.entrySet()) {
            isFine &= add(session, other.getKey(), other.getValue());
        }
        if (safe) {
            session.restrict();
        }
        return isFine;
    }

    private boolean add(SqlSession session, String schema, Path image) throws IOException {
        return frame.run(image, () -> {
            session.add(schema, image, zeros);
            return ExitCodes.OK;
        }) == ExitCodes.OK;
    }

    private boolean execute(SqlSession session) throws IOException {
        SqlRunner runner = new SqlRunner(session, form());
        return sql.isPresent() ? runner.execute(sql.get(), false) : runner.executeInput();
    }

    private SqlForm form() {
        return form.csv
                ? SqlForm.csv(frame.streams())
                : form.json ? new SqlJsonForm(frame.streams()) : new SqlTableForm(frame.streams());
    }
}
