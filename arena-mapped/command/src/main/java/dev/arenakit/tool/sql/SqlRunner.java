package dev.arenakit.tool.sql;

import dev.arenakit.tool.console.AnsiCodes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Suggestions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.concurrent.CancellationException;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Executes statements, and commands such as `.help`, that the user types or that a file contains.
final class SqlRunner {
    static final List<String> COMMANDS = List.of(".help", ".tables", ".quit");

    private static final String HELP = """
            .tables    lists the tables of the images; describe TABLE lists its columns
            .help      prints this text
            .quit      ends the prompt, as Ctrl-D does

            A statement ends with a semicolon, and may have several lines. Ctrl-C ends it.
            Tab completes the names of the images' tables and columns. The rows of a table are
            the structs whose bytes are not all zero; rowid is the index of the struct.
            """;

    private final Streams streams;
    private final SqlSession session;
    private final SqlForm form;
    private boolean hasQuit;

    SqlRunner(SqlSession session, SqlForm form) {
        this.session = session;
        this.form = form;
        streams = session.streams();
    }

    /// Whether a line is a command of the prompt.
    static boolean isDotCommand(String line) {
        return line.stripLeading().startsWith(".");
    }

    /// Whether a command has ended the prompt.
    boolean hasQuit() {
        return hasQuit;
    }

    /// Executes the statements and commands on standard input until one fails. Each is executed as soon as it is
    /// complete.
    ///
    /// @return whether all have succeeded
    boolean executeInput() throws IOException {
        try {
            return execute(new BufferedReader(new InputStreamReader(streams.in(), UTF_8.newDecoder())));
        } catch (CharacterCodingException e) {
            streams.report("standard input", e);
            return false;
        }
    }

    private boolean execute(BufferedReader lines) throws IOException {
        StringBuilder pending = new StringBuilder();
        int number = 0;
        int first = 1;
        for (String line = lines.readLine(); line != null && !hasQuit; line = lines.readLine()) {
            number++;
            boolean isCommand = pending.isEmpty() && isDotCommand(line);
            if (pending.isEmpty()) {
                first = number;
            }
            if (!pending.isEmpty() || !line.isBlank()) {
                pending.append(line).append('\n');
            }
            if (isCommand || (line.indexOf(';') >= 0 && session.isComplete(pending.toString()))) {
                if (!execute(pending.toString(), first)) {
                    return false;
                }
                pending.setLength(0);
            }
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

    /// Executes one command, or several statements until a statement fails.
    ///
    /// @param isTimed whether the numbers of rows and the times are printed
    /// @return whether the command or all statements have succeeded
    boolean execute(String text, boolean isTimed) throws IOException {
        boolean isFine = isDotCommand(text) ? executeCommand(text) : executeStatements(text, isTimed);
        if (!isFine && isTimed && session.isCancelled()) {
            streams.report("interrupted");
        }
        return isFine;
    }

    private boolean executeStatements(String text, boolean isTimed) throws IOException {
        for (String statement : session.split(text)) {
            long start = System.nanoTime();
            long rows = session.execute(statement, form);
            if (rows < 0) {
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

    private boolean executeCommand(String text) throws IOException {
        String command = text.strip().replaceFirst("\\s*;$", "");
        try {
            switch (command) {
                case ".help" -> streams.print(HELP);
                case ".tables" -> printTables();
                case ".quit" -> hasQuit = true;
                default -> {
                    streams.report(
                            "no command " + command + Suggestions.of(command, COMMANDS.stream()) + "; see .help");
                    return false;
                }
            }
            streams.out().flush();
            session.checkCancellation();
            return true;
        } catch (CancellationException _) {
            return false;
        }
    }

    private void printTables() throws IOException {
        for (String name : session.tables()) {
            session.checkCancellation();
            streams.print(PrintableText.of(name) + "\n");
        }
    }
}
