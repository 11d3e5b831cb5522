package dev.arenakit.tool.sql;

import dev.arenakit.tool.console.Streams;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Executes the statements and commands on standard input until one fails. Each is executed as soon as it is complete.
final class SqlScript {
    private final Streams streams;
    private final SqlRunner runner;

    SqlScript(Streams streams, SqlRunner runner) {
        this.streams = streams;
        this.runner = runner;
    }

    /// Executes the statements and commands.
    ///
    /// @return whether all statements and commands have succeeded
    boolean run() throws IOException {
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
        for (String line = lines.readLine(); line != null && !runner.hasQuit(); line = lines.readLine()) {
            number++;
            boolean isCommand = pending.isEmpty() && SqlDotCommands.isDotCommand(line);
            if (pending.isEmpty()) {
                first = number;
            }
            if (!pending.isEmpty() || !line.isBlank()) {
                pending.append(line).append('\n');
            }
            if (isCommand || (line.indexOf(';') >= 0 && SqlStatementSplitter.isComplete(pending.toString()))) {
                if (!execute(pending.toString(), first)) {
                    return false;
                }
                pending.setLength(0);
            }
        }
        return execute(pending.toString(), first);
    }

    private boolean execute(String text, int line) throws IOException {
        boolean isFine = runner.execute(text, false);
        if (!isFine) {
            streams.report("the input has not been read further: line=" + line);
        }
        return isFine;
    }
}
