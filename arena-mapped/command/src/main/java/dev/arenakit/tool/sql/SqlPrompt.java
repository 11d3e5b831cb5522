package dev.arenakit.tool.sql;

import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/// Reads statements and commands from a terminal. Ctrl-C interrupts the current statement, and Ctrl-D ends the prompt.
final class SqlPrompt {
    private static final String PROMPT = "sql> ";
    private static final String CONTINUED = "...> ";

    private final SqlSession session;
    private final SqlRunner runner;

    SqlPrompt(SqlSession session, SqlRunner runner) {
        this.session = session;
        this.runner = runner;
    }

    void run() throws IOException {
        Streams streams = session.streams();
        streams.print("DuckDB " + session.version() + ", " + describeTables() + "; .help explains the prompt\n");
        streams.out().flush();
        try (Terminal terminal = TerminalBuilder.builder()
                .system(true)
                .systemOutput(TerminalBuilder.SystemOutput.SysOutOrSysErr)
                .dumb(true)
                .build()) {
            terminal.handle(Terminal.Signal.INT, _ -> session.cancel());
            LineReader reader = reader(terminal);
            while (!runner.hasQuit()) {
                try {
                    String line = reader.readLine(PROMPT).strip();
                    session.cancellation().begin();
                    runner.execute(line, true);
                } catch (UserInterruptException _) {
                    // The typed line is dropped.
                } catch (EndOfFileException _) {
                    break;
                }
            }
        }
    }

    private LineReader reader(Terminal terminal) {
        LineReaderBuilder builder = LineReaderBuilder.builder()
                .terminal(terminal)
                .appName("arena")
                .parser(new SqlLineParser())
                .completer(new SqlCompleter(runner.catalog()))
                .variable(LineReader.SECONDARY_PROMPT_PATTERN, CONTINUED)
                .option(LineReader.Option.CASE_INSENSITIVE, true)
                // An exclamation mark is an operator. It does not refer to an earlier statement.
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true);
        try {
            builder.variable(LineReader.HISTORY_FILE, SqlHistoryFile.in(SqlHistoryFile.directoryOfUser()));
        } catch (IOException e) {
            session.streams().report("no history of statements: " + ErrorText.of(e));
        }
        return builder.build();
    }

    private String describeTables() {
        return switch (session.tables().size()) {
            case 0 -> "no tables";
            case 1 -> "table " + PrintableText.of(session.tables().getFirst());
            case 2, 3, 4, 5 -> "tables " + PrintableText.of(String.join(", ", session.tables()));
            default -> session.tables().size() + " tables";
        };
    }
}
