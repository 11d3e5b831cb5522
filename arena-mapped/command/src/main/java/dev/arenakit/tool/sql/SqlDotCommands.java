package dev.arenakit.tool.sql;

import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Suggestions;
import dev.arenakit.tool.console.Table;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;

/// The commands of the prompt that are not SQL, such as `.help`.
final class SqlDotCommands {
    static final List<String> NAMES = List.of(".help", ".tables", ".schema", ".mode", ".quit");

    private static final String HELP = """
            .tables         lists the tables
            .schema         lists the columns of all tables; .schema TABLE those of one
            .mode FORM      prints results as a table, or as csv or json
            .help           prints this text
            .quit           ends the prompt, as Ctrl-D does

            A statement ends with a semicolon, and may have several lines. Ctrl-C ends it.
            Tab completes names and words. The rows of an image's tables are the structs
            whose bytes are not all zero; rowid is the index of the struct.
            """;

    private final SqlSession session;
    private final SqlCatalog catalog;

    SqlDotCommands(SqlSession session, SqlCatalog catalog) {
        this.session = session;
        this.catalog = catalog;
    }

    /// Whether a line is a command of the prompt.
    static boolean isDotCommand(String line) {
        return line.stripLeading().startsWith(".");
    }

    /// Executes a command.
    ///
    /// @param runner the runner whose form of results `.mode` changes
    /// @return whether the command has succeeded
    boolean execute(String line, SqlRunner runner) throws IOException {
        String[] words = line.strip().replaceFirst("\\s*;$", "").split("\\s+", 2);
        String argument = words.length > 1 ? words[1] : "";
        switch (words[0]) {
            case ".help" -> streams().print(HELP);
            case ".tables" -> printTables();
            case ".schema" -> {
                return printColumns(argument);
            }
            case ".mode" -> {
                return runner.setForm(argument);
            }
            case ".quit", ".exit" -> runner.quit();
            default -> {
                streams().report("no command " + words[0] + Suggestions.of(words[0], NAMES) + "; see .help");
                return false;
            }
        }
        return true;
    }

    private Streams streams() {
        return session.streams();
    }

    private void printTables() throws IOException {
        for (String name : catalog.columns().stream().map(SqlCatalog.Column::tableName).distinct().toList()) {
            session.cancellation().check();
            streams().print(PrintableText.of(name) + "\n");
        }
    }

    private List<SqlCatalog.Column> columns(Predicate<SqlCatalog.Column> filter) {
        return catalog.columns().stream().filter(filter).toList();
    }

    /// The columns of the tables with a name, or of all tables.
    private List<SqlCatalog.Column> columnsOf(String table) {
        List<SqlCatalog.Column> columns = columns(
                column -> table.isEmpty() || table.equalsIgnoreCase(column.tableName()));
        return columns.isEmpty() ? columns(column -> table.equalsIgnoreCase(column.table())) : columns;
    }

    private boolean printColumns(String table) throws IOException {
        catalog.learn(columnsOf(table).stream().filter(column -> column.type().isEmpty()).toList());
        List<SqlCatalog.Column> columns = columnsOf(table);
        if (columns.isEmpty() && !table.isEmpty()) {
            streams().report("no table " + table + Suggestions.of(table,
                    catalog.columns().stream().map(SqlCatalog.Column::tableName).toList()));
            return false;
        }
        new Table(Table.Column.name("TABLE"), Table.Column.name("COLUMN"), Table.Column.name("TYPE"))
                .print(streams(), consumer -> {
                    for (SqlCatalog.Column column : columns) {
                        consumer.row(PrintableText.of(column.tableName()),
                                PrintableText.of(QuotedNames.of(column.name())),
                                PrintableText.of(column.type()));
                    }
                });
        return true;
    }
}
