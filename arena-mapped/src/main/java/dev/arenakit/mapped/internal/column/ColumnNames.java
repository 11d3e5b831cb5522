package dev.arenakit.mapped.internal.column;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// The names of columns in engines that do not distinguish upper from lower case.
public final class ColumnNames {
    private static final String ROW_ID = "rowid";

    private ColumnNames() {}

    /// Returns the name, with a number as a suffix if the name is taken.
    ///
    /// @param key   converts names to lower case, as the engine does
    /// @param taken the taken names in lower case, to which this method adds the result
    public static String unique(String name, UnaryOperator<String> key, Set<String> taken) {
        String unique = name;
        for (int i = 1; !taken.add(key.apply(unique)); i++) {
            unique = name + "_" + i;
        }
        return unique;
    }

    /// Returns names that differ in more than the case of letters.
    ///
    /// @param key converts names to lower case, as the engine does
    static List<String> unique(List<String> names, UnaryOperator<String> key) {
        Set<String> taken = new HashSet<>();
        return names.stream().map(name -> unique(name, key, taken)).toList();
    }

    /// Returns the name of the column of the struct's index. Members keep their names, because the components of records
    /// have them, too.
    ///
    /// @param key converts names to lower case, as the engine does
    static String rowId(List<ColumnType.Column> columns, UnaryOperator<String> key) {
        return unique(ROW_ID, key, columns.stream()
                .map(column -> key.apply(column.name()))
                .collect(Collectors.toCollection(HashSet::new)));
    }
}
