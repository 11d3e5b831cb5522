package dev.arenakit.internal.layout.text;

import dev.arenakit.layout.text.LayoutParseException;
import java.util.Locale;

/// Divides a text into tokens: names, numbers, annotations, quotations and signs, with their positions.
final class LayoutScanner {
    /// The largest number of characters of the text that a message quotes.
    private static final int MAX_QUOTE = 40;

    enum Kind {
        NAME, NUMBER, ANNOTATION, QUOTED, SIGN, END
    }

    /// @param text the characters: empty at the end of the text, with a leading `@` for an annotation, and with its
    ///             marks for a quotation
    record Token(Kind kind, String text, int line, int column) {
        boolean is(String sign) {
            return text.equals(sign);
        }

        LayoutParseException expected(String expected) {
            return new LayoutParseException(line, column, expected, toString());
        }

        @Override
        public String toString() {
            if (kind == Kind.SIGN && !isVisible(text.charAt(0))) {
                return String.format(Locale.ROOT, "U+%04X", text.codePointAt(0));
            }
            return kind == Kind.END
                    ? "the end of the text"
                    : "'" + (text.length() <= MAX_QUOTE ? text : text.substring(0, MAX_QUOTE) + "...") + "'";
        }
    }

    private final String text;
    private int at;
    private int line = 1;
    private int lineStart;

    LayoutScanner(String text) {
        this.text = text;
    }

    /// Returns the next token, after white space and comments.
    Token next() {
        skipSpace();
        int start = at;
        if (at == text.length()) {
            return token(Kind.END, start);
        }
        char first = text.charAt(at++);
        if (isLetter(first)) {
            skipWord();
            return token(Kind.NAME, start);
        }
        if (isDigit(first)) {
            skipWord();
            return token(Kind.NUMBER, start);
        }
        if (first == '@') {
            skipWord();
            return token(Kind.ANNOTATION, start);
        }
        if (first == '"') {
            int end = text.indexOf('"', at);
            if (end < 0) {
                throw token(Kind.SIGN, start).expected("a quotation that ends");
            }
            at = end + 1;
            return token(Kind.QUOTED, start);
        }
        if ("{}[]();,:=*-#.".indexOf(first) < 0) {
            if (Character.isHighSurrogate(first) && at < text.length()) {
                at++;
            }
            throw token(Kind.SIGN, start).expected("a declaration");
        }
        return token(Kind.SIGN, start);
    }

    private Token token(Kind kind, int start) {
        return new Token(kind, text.substring(start, at), line, start - lineStart + 1);
    }

    private void skipWord() {
        while (at < text.length() && (isLetter(text.charAt(at)) || isDigit(text.charAt(at)))) {
            at++;
        }
    }

    private void skipSpace() {
        while (at < text.length()) {
            char next = text.charAt(at);
            if (next == '\n') {
                at++;
                line++;
                lineStart = at;
            } else if (next == ' ' || next == '\t' || next == '\r') {
                at++;
            } else if (text.startsWith("//", at)) {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (text.startsWith("/*", at)) {
                skipComment();
            } else {
                return;
            }
        }
    }

    private void skipComment() {
        int end = text.indexOf("*/", at + 2);
        if (end < 0) {
            throw new LayoutParseException(line, at - lineStart + 1, "'*/' after '/*'", "the end of the text");
        }
        for (int i = at; i < end; i++) {
            if (text.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        at = end + 2;
    }

    private static boolean isVisible(char value) {
        return value > ' ' && value < 0x7f;
    }

    private static boolean isLetter(char value) {
        return (value >= 'a' && value <= 'z') || (value >= 'A' && value <= 'Z') || value == '_';
    }

    private static boolean isDigit(char value) {
        return value >= '0' && value <= '9';
    }
}
