package dev.arenakit.spark.internal;

import dev.arenakit.mapped.internal.column.RowRange;
import java.util.List;
import java.util.function.BinaryOperator;

/// Finds the range of structs to which conditions restrict a query.
final class RowIdRange {
    private RowIdRange() {}

    /// @param rowId the name of the column of the struct's index
    static RowRange of(RowCondition condition, String rowId) {
        return switch (condition) {
            case RowCondition.And and -> reduce(and.conditions(), rowId, RowRange::intersect);
            case RowCondition.Or or -> reduce(or.conditions(), rowId, RowRange::hull);
            case RowCondition.Comparison comparison when comparison.column().equals(List.of(rowId)) ->
                of(comparison.operator(), (Long) comparison.literal());
            case RowCondition.Comparison _,RowCondition.Not _,RowCondition.Always _ -> RowRange.ALL;
        };
    }

    private static RowRange reduce(List<RowCondition> conditions, String rowId, BinaryOperator<RowRange> operator) {
        return conditions.stream().map(each -> of(each, rowId)).reduce(operator).orElse(RowRange.ALL);
    }

    private static RowRange of(RowCondition.Operator operator, long value) {
        // No struct has the index Long.MAX_VALUE.
        long next = value == Long.MAX_VALUE ? value : value + 1;
        return switch (operator) {
            case EQUAL -> range(value, next);
            case NOT_EQUAL -> RowRange.ALL;
            case LESS -> range(0, value);
            case LESS_OR_EQUAL -> range(0, next);
            case GREATER -> range(next, Long.MAX_VALUE);
            case GREATER_OR_EQUAL -> range(value, Long.MAX_VALUE);
        };
    }

    private static RowRange range(long first, long end) {
        return new RowRange(Math.max(0, first), Math.max(0, end), false);
    }
}
