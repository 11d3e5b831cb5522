package dev.arenakit.tool.sql;

import dev.arenakit.tool.console.AnsiCodes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Executes statements that the user types or that a file contains, and the command `.tables`.
final class SqlRunner {
    private static final Pattern TABLES = Pattern.compile("\\s*\\.tables\\s*;?\\s*");

    private final Streams streams;
    private final SqlSession session;
    private final SqlForm form;

    SqlRunner(SqlSession session, SqlForm form) {
        this.session = session;
        this.form = form;
        streams = session.streams();
    }

    /// Whether a text is the command that lists the tables. No statement lists them, because the engine knows a table only
    /// after the first statement that names it.
    static boolean isTables(String text) {
        return TABLES.matcher(text).matches();
    }

    /// Executes the statements on standard input until one fails. Each is executed as soon as it is complete.
    ///
    /// @return whether all have succeeded
    boolean executeInput() throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(streams.in(), UTF_8.newDecoder()));
        StringBuilder pending = new StringBuilder();
        int number = 0;
        int first = 1;
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                first = pending.isEmpty() ? number : first;
                if (!pending.isEmpty() || !line.isBlank()) {
                    pending.append(line).append('\n');
                }
                if (isTables(pending.toString())
                        || (line.indexOf(';') >= 0 && session.isComplete(pending.toString()))) {
                    if (!execute(pending.toString(), first)) {
                        return false;
                    }
                    pending.setLength(0);
                }
            }
        } catch (CharacterCodingException e) {
            streams.report("standard input", e);
            return false;
        }
        return execute(pending.toString(), first);
    }

    private boolean execute(String text, int line) throws IOException {
        boolean isFine = execute(text, false);
        if (!isFine) {
            streams.report("the input has not been read further: line=" + line);
        }
        return isFine;
    }

    /// Executes statements until one fails.
    ///
    /// @param isTimed whether the numbers of rows and the times are printed, and an interrupt
    /// @return whether all statements have succeeded
    boolean execute(String text, boolean isTimed) throws IOException {
        if (isTables(text)) {
            for (String name : session.tables()) {
                streams.print(PrintableText.of(name) + "\n");
            }
            streams.out().flush();
            return true;
        }
        for (String statement : session.split(text)) {
            long start = System.nanoTime();
            long rows = session.execute(statement, form);
            if (rows < 0) {
                if (isTimed && session.isCancelled()) {
                    streams.report("interrupted");
                }
                return false;
            }
            if (isTimed) {
                double seconds = (System.nanoTime() - start) / 1e9;
                streams.print(streams.styled(AnsiCodes.DIM, Counts.of(rows, "row") + " in "
                        + Math.round(seconds * 1e3) / 1e3 + " s") + "\n");
                streams.out().flush();
            }
        }
        return true;
    }
}
