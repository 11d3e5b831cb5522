package dev.arenakit.tool.sql;

import java.util.List;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/// Tells the prompt whether a statement needs another line, and which word to complete.
final class SqlLineParser implements Parser {
    /// The typed text up to the cursor.
    private record Typed(String line, int cursor, String word) implements CompletingParsedLine {
        @Override
        public int wordCursor() {
            return word.length();
        }

        @Override
        public int wordIndex() {
            return 0;
        }

        @Override
        public List<String> words() {
            return List.of(word);
        }

        @Override
        public CharSequence escape(CharSequence candidate, boolean complete) {
            return candidate;
        }

        @Override
        public int rawWordCursor() {
            return word.length();
        }

        @Override
        public int rawWordLength() {
            return word.length();
        }
    }

    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
        boolean isCommand = SqlDotCommands.isDotCommand(line);
        if (context == ParseContext.ACCEPT_LINE && !isCommand && !SqlStatementSplitter.isComplete(line)) {
            throw new EOFError(-1, -1, "The statement has no semicolon");
        }
        int start = cursor;
        while (start > 0 && (isPartOfName(line.charAt(start - 1)) || (start == 1 && isCommand))) {
            start--;
        }
        return new Typed(line, cursor, line.substring(start, cursor));
    }

    private static boolean isPartOfName(char c) {
        return Character.isJavaIdentifierPart(c) || c == '.' || c == '"' || c == '#';
    }
}
