package dev.arenakit.sql.internal;

import dev.arenakit.mapped.internal.column.ColumnNames;
import dev.arenakit.sql.internal.duckdb.SqlIdentifiers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/// Finds the columns of a result by the names of the members of a struct or of a record. The members of a STRUCT value
/// are found in the same way.
public final class ResultColumns {
    private ResultColumns() {}

    /// Returns the index of each member's column. The column has the name of the member. If there is no such column, it
    /// has the name that a table gives the member, with a suffix if the names of two members differ only in upper and
    /// lower case. If there is no such column either, it is the only column whose name differs from the member's name
    /// only in case.
    ///
    /// @param members the names of the members
    /// @param columns the names of the columns
    /// @throws IllegalArgumentException if a member has no column or several columns, or if two members have the same
    ///                                  column
    public static int[] indices(List<String> members, List<String> columns) {
        Set<String> taken = new HashSet<>();
        List<Integer> found = new ArrayList<>();
        for (String member : members) {
            int index = index(member, ColumnNames.unique(member, SqlIdentifiers::key, taken), columns);
            if (found.contains(index)) {
                throw new IllegalArgumentException("Two members have the same column: name=" + member + ", column="
                        + columns.get(index) + "; name another column " + member + " in the query");
            }
            found.add(index);
        }
        return found.stream().mapToInt(Integer::intValue).toArray();
    }

    private static int index(String member, String unique, List<String> columns) {
        List<Predicate<String>> tests = List.of(member::equals, unique::equals, member::equalsIgnoreCase);
        for (Predicate<String> test : tests) {
            List<Integer> found = IntStream.range(0, columns.size())
                    .filter(i -> test.test(columns.get(i)))
                    .boxed()
                    .toList();
            if (found.size() > 1) {
                throw new IllegalArgumentException("Result has several such columns: name=" + member + ", columns="
                        + found.stream().map(columns::get).toList() + "; name them differently in the query");
            }
            if (!found.isEmpty()) {
                return found.getFirst();
            }
        }
        throw new IllegalArgumentException("Result has no such column: name=" + member + ", columns=" + columns);
    }
}
