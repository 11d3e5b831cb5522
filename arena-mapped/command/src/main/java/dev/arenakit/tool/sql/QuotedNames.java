package dev.arenakit.tool.sql;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Names of tables, schemas and columns as they are written in SQL.
final class QuotedNames {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    /// The words that must be quoted to be names of tables or columns.
    private static final Set<String> RESERVED = Set.of("all", "analyse", "analyze", "and", "anti", "any", "array", "as",
            "asc", "asof", "asymmetric", "at",
            "authorization", "binary", "both", "by", "case", "cast", "check", "collate", "collation", "column",
            "columns", "concurrently", "constraint", "create", "cross", "default", "deferrable", "desc",
            "describe", "distinct", "do", "else", "end", "except", "false", "fetch", "for", "foreign", "freeze",
            "from", "full", "generated", "glob", "group", "having", "ilike", "in", "initially", "inner",
            "intersect", "into", "is", "isnull", "join", "lambda", "lateral", "leading", "left", "like",
            "limit", "map", "natural", "not", "notnull", "null", "offset", "on", "only", "or", "order", "outer",
            "overlaps", "pivot", "pivot_longer", "pivot_wider", "placing", "positional", "primary", "qualify",
            "references", "returning", "right", "select", "semi", "show", "similar", "some", "struct",
            "summarize", "symmetric", "table", "tablesample", "then", "to", "trailing", "true", "try_cast",
            "tuple", "union", "unique", "unpack", "unpivot", "using", "variadic", "verbose", "when", "where",
            "window", "with");

    private QuotedNames() {}

    /// Returns a name, in quotes if it needs them.
    static String of(String name) {
        boolean isPlain = PLAIN.matcher(name).matches() && !RESERVED.contains(name.toLowerCase(Locale.ROOT));
        return isPlain ? name : '"' + name.replace("\"", "\"\"") + '"';
    }

    /// Returns the name of a table, with its schema if it needs one.
    static String of(String schema, String table) {
        return schema.equals(SqlSession.MAIN) ? of(table) : of(schema) + "." + of(table);
    }
}
