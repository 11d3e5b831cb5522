package dev.arenakit.tool.sql;

import dev.arenakit.sql.SqlException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/// Completes the names of tables, schemas and columns, and the keywords of SQL. After `name.`, it completes the columns
/// of that table or the tables of that schema. If the name is an alias, it completes the columns of all tables.
final class SqlCompleter implements Completer {
    private final SqlCatalog catalog;

    SqlCompleter(SqlCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        try {
            words(line.line(), line.word()).forEach(word -> candidates
                    .add(new Candidate(word, word, null, null, null, null, !word.endsWith("."))));
        } catch (SqlException _) {
            // The user has interrupted the query for the names by Ctrl-C, or the transaction is aborted.
        }
    }

    private Set<String> words(String line, String word) {
        Set<String> words = new LinkedHashSet<>();
        if (SqlDotCommands.isDotCommand(line)) {
            if (word.equals(line.stripLeading())) {
                words.addAll(SqlDotCommands.NAMES);
            } else {
                catalog.columns().forEach(column -> words.add(column.tableName()));
            }
            return words;
        }
        String qualifier = word.substring(0, word.lastIndexOf('.') + 1);
        if (qualifier.isEmpty()) {
            for (SqlCatalog.Column column : catalog.columns()) {
                if (column.schema().equals(SqlSession.MAIN)) {
                    words.add(QuotedNames.of(column.table()));
                } else {
                    words.add(QuotedNames.of(column.schema()) + ".");
                }
                words.add(QuotedNames.of(column.name()));
            }
            words.addAll(catalog.keywords());
        } else {
            addQualified(words, qualifier);
        }
        return words;
    }

    private void addQualified(Set<String> words, String qualifier) {
        for (SqlCatalog.Column column : catalog.columns()) {
            if (qualifier.equalsIgnoreCase(QuotedNames.of(column.schema()) + ".")) {
                words.add(qualifier + QuotedNames.of(column.table()));
            } else if (qualifier.equalsIgnoreCase(QuotedNames.of(column.table()) + ".")
                    || qualifier.equalsIgnoreCase(column.tableName() + ".")) {
                words.add(qualifier + QuotedNames.of(column.name()));
            }
        }
        if (words.isEmpty()) {
            catalog.columns().forEach(column -> words.add(qualifier + QuotedNames.of(column.name())));
        }
    }
}
