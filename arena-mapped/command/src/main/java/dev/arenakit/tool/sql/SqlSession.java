package dev.arenakit.tool.sql;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.sql.SqlException;
import dev.arenakit.sql.SqlImage;
import dev.arenakit.sql.SqlResult;
import dev.arenakit.sql.StructSql;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.DamagedRecordsWarning;
import dev.arenakit.tool.image.FileTruncation;
import dev.arenakit.tool.image.ImageFileSet;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.regex.Pattern;

/// An engine with the tables of images. It reports failures of the engine.
final class SqlSession implements Closeable {
    /// The schema of names without one.
    static final String MAIN = "main";

    /// Is in the message about a text that ends too early, such as one that `$$` begins and nothing ends.
    private static final Pattern OPEN_TEXT = Pattern.compile(
            "unterminated |at end of input|at or near \"(\\$\\w*\\$)(?![^\"]*\\1)");
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final long OPEN = -1;
    private static final long WRONG = -2;

    private final Streams streams;
    private final StructSql sql;
    /// The words that must be quoted to be names.
    private final Set<String> keywords = new HashSet<>();
    private final List<String> tables = new ArrayList<>();
    private final List<SqlImage> images = new ArrayList<>();
    private volatile boolean isCancelled;
    private boolean hasProblems;

    private SqlSession(Streams streams, StructSql sql) {
        this.streams = streams;
        this.sql = sql;
        try (SqlResult words = sql.query("select keyword_name from duckdb_keywords()"
                + " where keyword_category <> 'unreserved'")) {
            while (words.next()) {
                keywords.add(words.text(0));
            }
        }
    }

    /// Returns a name as it is written in SQL, in quotes if it needs them.
    private String quoted(String name) {
        boolean isPlain = PLAIN.matcher(name).matches() && !keywords.contains(name.toLowerCase(Locale.ROOT));
        return isPlain ? name : quote(name);
    }

    private String quoted(String schema, String table) {
        return schema.equals(MAIN) ? quoted(table) : quoted(schema) + "." + quoted(table);
    }

    private static String quote(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /// Opens an engine.
    ///
    /// @param library the path of the library; if it is empty, the environment must have the path
    /// @throws IOException if there is no library; the message says how to get one
    static SqlSession open(Streams streams, Optional<Path> library) throws IOException {
        try {
            return new SqlSession(streams, library.isPresent() ? StructSql.open(library.get()) : StructSql.open());
        } catch (SqlException e) {
            String message = String.valueOf(e.getMessage());
            // The rest of the message is for programs that use the class.
            throw new IOException(library.isPresent()
                    ? message
                    : message.replaceFirst("; .*", "") + "; give the path of libduckdb or of the jar"
                            + " org.duckdb:duckdb_jdbc with --duckdb, or in the environment variable ARENAKIT_DUCKDB;"
                            + " both are at https://duckdb.org/install and in Maven's repository",
                    e);
        } catch (IllegalCallerException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// Adds the tables of an image, and reports missing records and bytes of the image.
    ///
    /// @param schema   the name of the schema of the tables
    /// @param zeroRows whether structs whose bytes are all zero are rows
    void add(String schema, Path base, boolean zeroRows) throws IOException {
        try (ArenaImage image = ImageFileSet.openImage(base)) {
            SqlImage added = sql.image(schema, image);
            if (zeroRows) {
                added.withZeroRows();
            }
            images.add(added);
            added.tables().forEach(table -> tables.add(quoted(schema, table)));
            hasProblems |= DamagedRecordsWarning.report(streams, image, base);
            added.renamedTables()
                    .forEach((table, name) -> streams.report(base + ": the name of " + name
                            + " differs from another one in case only: its table is "
                            + quoted(schema, table)));
            for (String leftOut : added.leftOut()) {
                report(base + ": no table of " + leftOut);
            }
            new AllocationSequence(image).forEachLive(allocation -> {
                if (allocation.typeText().isPresent()) {
                    checkFiles(image, allocation);
                }
            });
        } catch (SqlException e) {
            checkCancellation();
            // Later lines show a statement that the user has not written.
            throw new IOException(String.valueOf(e.getMessage()).lines().findFirst().orElse(""), e);
        }
    }

    /// Reports an allocation whose data files are missing or truncated. Its table has fewer rows.
    private void checkFiles(ArenaImage image, Allocation allocation) {
        try {
            FileTruncation.message(image, allocation)
                    .ifPresent(problem -> report(allocation.label() + ": " + problem));
        } catch (IOException e) {
            report(allocation.label() + ": file " + e.getMessage() + ": " + ErrorText.of(e));
        }
    }

    Streams streams() {
        return streams;
    }

    /// The names of the tables of images as they are written in SQL.
    List<String> tables() {
        return tables;
    }

    String version() {
        return sql.version();
    }

    /// Whether something was reported.
    boolean hasProblems() {
        return hasProblems;
    }

    /// Begins the next line of the prompt.
    void begin() {
        isCancelled = false;
    }

    /// Whether the user has interrupted the command or, at the prompt, the current line.
    boolean isCancelled() {
        return isCancelled;
    }

    /// @throws CancellationException if the statement is cancelled
    void checkCancellation() {
        if (isCancelled) {
            throw new CancellationException();
        }
    }

    /// Ends the current statement. Any thread may call this method.
    void cancel() {
        isCancelled = true;
        sql.cancel();
    }

    /// Denies access to files, to other databases and to extensions from now on. Statements cannot allow it again.
    void restrict() {
        sql.query("set enable_external_access = false").close();
        sql.query("set lock_configuration = true").close();
    }

    /// The words that the prompt completes: the names of schemas, which a dot follows, of tables and of columns.
    Set<String> words() {
        Set<String> words = new HashSet<>();
        for (SqlImage image : images) {
            if (!image.schema().equals(MAIN)) {
                words.add(quoted(image.schema()) + ".");
            }
            image.columns().forEach((table, columns) -> {
                words.add(quoted(table));
                columns.forEach(column -> words.add(quoted(column)));
            });
        }
        return words;
    }

    /// Returns the statements in a text, without their semicolons. The last statement may lack its semicolon.
    List<String> split(String text) {
        List<String> statements = new ArrayList<>();
        int start = 0;
        for (int end = text.indexOf(';'); end >= 0; end = text.indexOf(';', end + 1)) {
            if (isComplete(text.substring(start, end + 1))) {
                statements.add(text.substring(start, end).strip());
                start = end + 1;
            }
        }
        statements.add(text.substring(start).strip());
        statements.removeIf(statement -> count(statement) == 0);
        return statements;
    }

    /// Whether each statement in a text ends with a semicolon. A text without statements is complete.
    boolean isComplete(String text) {
        long count = count(text);
        if (count == WRONG) {
            return text.indexOf(';') >= 0;
        }
        // A semicolon within a text, a quoted name or a comment does not divide these statements.
        return count == 0 || (count > 0 && count(text + "\nselect 1") == count + 1);
    }

    /// Returns the number of statements in a text, [#OPEN] if the text ends within a statement, or [#WRONG].
    private long count(String text) {
        try {
            return sql.countStatements(text);
        } catch (SqlException e) {
            return OPEN_TEXT.matcher(String.valueOf(e.getMessage())).find() ? OPEN : WRONG;
        }
    }

    /// Executes a statement, and prints its result. If the form is for programs, rows are printed while the engine
    /// computes them.
    ///
    /// @return the number of rows; -1 if the statement has failed, and this is reported
    long execute(String statement, SqlForm form) throws IOException {
        try {
            checkCancellation();
            streams.progress().at("querying", 0, 0);
            try (SqlResult result = form.isStreaming() ? sql.stream(statement) : sql.query(statement)) {
                long rows = form.print(result.withTimeTexts(), this::checkCancellation);
                streams.out().flush();
                return rows;
            }
        } catch (SqlException | IllegalArgumentException | CancellationException e) {
            reportFailure(e);
            return -1;
        } finally {
            streams.progress().at("", 0, 0);
        }
    }

    /// Reports that a statement has failed, unless the user has interrupted it.
    void reportFailure(RuntimeException e) {
        if (isCancelled) {
            return;
        }
        String.valueOf(e.getMessage()).lines().filter(line -> !line.isBlank()).forEach(this::report);
    }

    void report(String problem) {
        hasProblems = true;
        streams.report(problem);
    }

    @Override
    public void close() {
        sql.close();
    }
}
