package dev.arenakit.tool.sql;

import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jline.reader.Candidate;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/// Reads statements from a terminal. Ctrl-C interrupts the current statement, and Ctrl-D or `quit` ends the prompt.
final class SqlPrompt {
    private static final Pattern END = Pattern.compile("(?i)\\s*(?:[.\\\\]?(?:quit|exit)|\\\\q)[\\s;]*");
    /// Dots begin no statement: the engine refuses the line at once.
    private static final Pattern ONE_LINE = Pattern.compile(END.pattern() + "|\\s*\\..*");

    private final SqlSession session;
    private final SqlRunner runner;

    SqlPrompt(SqlSession session, SqlRunner runner) {
        this.session = session;
        this.runner = runner;
    }

    /// Asks for further lines until a statement is complete, and divides a line into the words that are completed.
    private final class Statements extends DefaultParser {
        Statements() {
            setQuoteChars(null);
            setEscapeChars(null);
        }

        @Override
        public boolean isDelimiterChar(CharSequence line, int index) {
            char c = line.charAt(index);
            return !(Character.isJavaIdentifierPart(c) || c == '"' || c == '#');
        }

        @Override
        public ParsedLine parse(String line, int cursor, ParseContext context) {
            if (context == ParseContext.ACCEPT_LINE && !ONE_LINE.matcher(line).matches()
                    && !session.isComplete(line)) {
                throw new EOFError(-1, -1, "The statement has no semicolon");
            }
            ArgumentList words = (ArgumentList) super.parse(line, cursor, context);
            return new ArgumentList(line, words.words(), words.wordIndex(), words.wordCursor(), cursor, null,
                    words.rawWordCursor(), words.rawWordLength()) {
                @Override
                public CharSequence escape(CharSequence candidate, boolean isComplete) {
                    return candidate;
                }
            };
        }
    }

    /// Reads from the terminal of this process until the user ends the prompt.
    void run() throws IOException {
        try (Terminal terminal = TerminalBuilder.builder()
                .system(true)
                .systemOutput(TerminalBuilder.SystemOutput.SysOutOrSysErr)
                .dumb(true)
                .build()) {
            run(terminal, SqlHistoryFile.directoryOfUser());
        }
    }

    /// @param history the directory of the file with the statements that were typed
    void run(Terminal terminal, Path history) throws IOException {
        Streams streams = session.streams();
        streams.print("DuckDB " + session.version() + ", " + describeTables()
                + "; .tables lists the tables, a semicolon ends a statement, and Ctrl-D or quit ends the prompt\n");
        streams.out().flush();
        terminal.handle(Terminal.Signal.INT, _ -> session.cancel());
        LineReader reader = reader(terminal, history);
        while (true) {
            try {
                String line = reader.readLine("sql> ").strip();
                if (END.matcher(line).matches()) {
                    return;
                }
                session.begin();
                runner.execute(line, true);
            } catch (UserInterruptException _) {
                // The typed line is dropped.
            } catch (EndOfFileException _) {
                return;
            }
        }
    }

    private LineReader reader(Terminal terminal, Path history) {
        LineReaderBuilder builder = LineReaderBuilder.builder()
                .terminal(terminal)
                .appName("arena")
                .parser(new Statements())
                .completer((_, _, candidates) -> session.words()
                        .forEach(word -> candidates
                                .add(new Candidate(word, word, null, null, null, null, !word.endsWith(".")))))
                .variable(LineReader.SECONDARY_PROMPT_PATTERN, "...> ")
                .option(LineReader.Option.CASE_INSENSITIVE, true)
                // An exclamation mark is an operator. It does not refer to an earlier statement.
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true);
        try {
            builder.variable(LineReader.HISTORY_FILE, SqlHistoryFile.in(history));
        } catch (IOException e) {
            session.streams().report("no history of statements: " + ErrorText.of(e));
        }
        return builder.build();
    }

    private String describeTables() {
        int count = session.tables().size();
        return count == 0 || count > 5
                ? count + " tables"
                : (count == 1 ? "table " : "tables ") + PrintableText.of(String.join(", ", session.tables()));
    }
}
