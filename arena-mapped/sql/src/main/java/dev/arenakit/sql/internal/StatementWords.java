package dev.arenakit.sql.internal;

import dev.arenakit.sql.internal.duckdb.SqlIdentifiers;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/// The words of a statement that may be names of tables. Every name that the engine finds is among them. Others may be
/// among them, such as words in comments: each costs at most a view that nobody needs.
final class StatementWords {
    /// Matches statements that read the names of tables from the engine's catalog, from a file, or from a computed
    /// text.
    private static final Pattern ANY_TABLE = Pattern.compile("\\b(information_schema|sqlite_\\w+|pg_\\w+"
            + "|duckdb_(columns|views|dependencies)|show(_tables\\w*)?|import|export)\\b|\\bquery(_table)?\"?\\s*\\("
            + "|^\\s*desc(ribe)?[\\s;]*$", Pattern.CASE_INSENSITIVE);
    /// In some versions of the engine, a text in any of these quotes can be the name of a table.
    private static final String QUOTES = "\"'$";

    private final String sql;
    private final Set<String> words = new LinkedHashSet<>();

    private StatementWords(String sql) {
        this.sql = sql;
    }

    /// Returns the words as the engine compares them.
    static Set<String> of(String sql) {
        StatementWords found = new StatementWords(sql);
        found.find();
        return found.words;
    }

    /// Whether a statement may use tables that it does not name.
    ///
    /// @param words the words as the engine compares them
    static boolean mayUseAnyTable(String sql, Set<String> words) {
        return ANY_TABLE.matcher(sql).find() || (words.contains("drop") && words.contains("schema"));
    }

    private void find() {
        int start = 0;
        for (int i = 0; i <= sql.length(); i++) {
            if (i == sql.length() || !isPart(sql.charAt(i))) {
                if (start < i) {
                    words.add(SqlIdentifiers.key(sql.substring(start, i)));
                }
                start = i + 1;
            }
            if (i < sql.length() && QUOTES.indexOf(sql.charAt(i)) >= 0) {
                addQuoted(i);
            }
        }
    }

    private static boolean isPart(char c) {
        return c == '_' || c == '$' || (c < 0x80
                ? Character.isLetterOrDigit(c)
                : !Character.isWhitespace(c) && !Character.isSpaceChar(c) && Character.getType(c) != Character.FORMAT);
    }

    /// Adds the text after a quotation mark. The mark may also be at the end of a text, or in a comment.
    private void addQuoted(int start) {
        char quote = sql.charAt(start);
        if (quote != '$' && start > 0 && sql.charAt(start - 1) == quote) {
            return;
        }
        int end = sql.indexOf(quote, start + 1);
        while (end >= 0 && quote != '$' && end + 1 < sql.length() && sql.charAt(end + 1) == quote) {
            end = sql.indexOf(quote, end + 2);
        }
        if (end > start + 1) {
            String one = String.valueOf(quote);
            words.add(SqlIdentifiers.key(sql.substring(start + 1, end).replace(one + one, one)));
        }
    }
}
