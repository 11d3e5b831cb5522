package dev.arenakit.mapped.internal.column;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// The names of columns in engines that do not distinguish upper from lower case.
public final class ColumnNames {
    private static final String ROW_ID = "rowid";

    private ColumnNames() {}

    /// Returns the name, with a number as a suffix if the name is taken.
    ///
    /// @param taken the taken names in lower case, to which this method adds the result
    public static String unique(String name, Set<String> taken) {
        String unique = name;
        for (int i = 1; !taken.add(unique.toLowerCase(Locale.ROOT)); i++) {
            unique = name + "_" + i;
        }
        return unique;
    }

    /// Returns names that differ in more than the case of letters.
    public static List<String> unique(List<String> names) {
        Set<String> taken = new HashSet<>();
        return names.stream().map(name -> unique(name, taken)).toList();
    }

    /// Returns the name of the column of the struct's index. Members keep their names, because the components of records
    /// have them, too.
    public static String rowId(List<ColumnType.Column> columns) {
        return unique(ROW_ID, columns.stream()
                .map(column -> column.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(HashSet::new)));
    }
}
