package dev.arenakit.tool.sql;

import java.util.ArrayList;
import java.util.List;

/// Splits text into statements at semicolons. Semicolons in texts, quoted names and comments do not count.
final class SqlStatementSplitter {
    private final String sql;
    private int at;
    /// Whether anything but spaces and comments follows the last semicolon.
    private boolean hasTokens;
    /// Whether the text ends within a text, a quoted name or a comment of several lines.
    private boolean isOpen;

    private SqlStatementSplitter(String sql) {
        this.sql = sql;
    }

    /// Returns the statements in a text, without their semicolons. The last statement may lack its semicolon.
    static List<String> split(String sql) {
        List<String> statements = new ArrayList<>();
        SqlStatementSplitter scanner = new SqlStatementSplitter(sql);
        while (scanner.at < sql.length()) {
            int start = scanner.at;
            int end = scanner.next();
            if (scanner.hasTokens) {
                statements.add(sql.substring(start, end).strip());
            }
        }
        return statements;
    }

    /// Whether each statement in a text ends with a semicolon. A text without statements is complete.
    static boolean isComplete(String sql) {
        SqlStatementSplitter scanner = new SqlStatementSplitter(sql);
        boolean isComplete = true;
        while (scanner.at < sql.length()) {
            int end = scanner.next();
            isComplete = end < sql.length() || !(scanner.hasTokens || scanner.isOpen);
        }
        return isComplete;
    }

    /// Returns the index of the next semicolon, or the length of the text, and continues after the semicolon.
    private int next() {
        hasTokens = false;
        isOpen = false;
        while (at < sql.length()) {
            char c = sql.charAt(at);
            if (c == ';') {
                return at++;
            }
            if (sql.startsWith("--", at)) {
                skipTo("\n", 2);
                isOpen = false;
            } else if (sql.startsWith("/*", at)) {
                skipComment();
            } else {
                hasTokens |= !Character.isWhitespace(c);
                skipToken(c);
            }
        }
        return at;
    }

    private void skipToken(char c) {
        if (c == '\'' && isEscapeText()) {
            skipEscapeText();
        } else if (c == '\'' || c == '"') {
            // A quotation mark within a text is doubled, so such a text is skipped as two texts.
            skipTo(String.valueOf(c), 1);
        } else if (c == '$') {
            skipDollarText();
        } else {
            at++;
        }
    }

    /// Skips a comment. Comments can be nested.
    private void skipComment() {
        int depth = 0;
        do {
            if (sql.startsWith("/*", at)) {
                depth++;
                at += 2;
            } else if (sql.startsWith("*/", at)) {
                depth--;
                at += 2;
            } else {
                at++;
            }
        } while (depth > 0 && at < sql.length());
        isOpen = depth > 0;
    }

    private void skipTo(String end, int length) {
        int found = sql.indexOf(end, at + length);
        isOpen = found < 0;
        at = found < 0 ? sql.length() : found + end.length();
    }

    /// Whether a text with escapes, such as `e'it\'s'`, begins here.
    private boolean isEscapeText() {
        return at > 0 && (sql.charAt(at - 1) == 'e' || sql.charAt(at - 1) == 'E')
                && (at == 1 || !Character.isJavaIdentifierPart(sql.charAt(at - 2)));
    }

    private void skipEscapeText() {
        at++;
        while (at < sql.length() && sql.charAt(at) != '\'') {
            at += sql.charAt(at) == '\\' ? 2 : 1;
        }
        isOpen = at >= sql.length();
        at = Math.min(sql.length(), at + 1);
    }

    /// Skips a text such as `$$it's$$` or `$tag$it's$tag$`, or the dollar sign of a parameter such as `$1`.
    private void skipDollarText() {
        int end = at + 1;
        while (end < sql.length() && sql.charAt(end) != '$' && Character.isJavaIdentifierPart(sql.charAt(end))) {
            end++;
        }
        boolean isTag = end < sql.length() && sql.charAt(end) == '$' && !Character.isDigit(sql.charAt(at + 1))
                && (at == 0 || !Character.isJavaIdentifierPart(sql.charAt(at - 1)));
        if (isTag) {
            skipTo(sql.substring(at, end + 1), end + 1 - at);
        } else {
            at++;
        }
    }
}
