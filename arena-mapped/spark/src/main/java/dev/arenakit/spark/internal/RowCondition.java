package dev.arenakit.spark.internal;

import dev.arenakit.mapped.internal.column.RowRange;
import java.io.Serializable;
import java.util.List;
import java.util.function.BinaryOperator;
import org.apache.spark.sql.types.DataType;

/// A condition on columns that are never null, in the form in which executors get it.
sealed interface RowCondition extends Serializable {
    /// The condition that any row satisfies.
    static RowCondition always() {
        return new And(List.of());
    }

    /// The names of the columns.
    default List<String> columns() {
        return switch (this) {
            case And and -> columns(and.conditions);
            case Or or -> columns(or.conditions);
            case Not not -> not.condition.columns();
            case Comparison comparison -> List.of(comparison.column.getFirst());
        };
    }

    private static List<String> columns(List<RowCondition> conditions) {
        return conditions.stream().flatMap(condition -> condition.columns().stream()).toList();
    }

    /// The range of structs to which the condition restricts a query.
    ///
    /// @param rowId the name of the column of the struct's index
    default RowRange rows(String rowId) {
        return switch (this) {
            case And and -> rows(and.conditions, rowId, RowRange::intersect);
            case Or or -> rows(or.conditions, rowId, RowRange::hull);
            case Comparison comparison when comparison.column.equals(List.of(rowId)) ->
                comparison.operator.rows((Long) comparison.literal);
            case Comparison _,Not _ -> RowRange.ALL;
        };
    }

    private static RowRange rows(List<RowCondition> conditions, String rowId, BinaryOperator<RowRange> operator) {
        return conditions.stream().map(each -> each.rows(rowId)).reduce(operator).orElse(RowRange.ALL);
    }

    /// All conditions hold.
    record And(List<RowCondition> conditions) implements RowCondition {}

    /// At least one condition holds.
    record Or(List<RowCondition> conditions) implements RowCondition {}

    /// A condition does not hold.
    record Not(RowCondition condition) implements RowCondition {}

    /// A value is compared with a literal.
    ///
    /// @param column  the names of a column and of members within it
    /// @param literal a value in Spark's internal form
    record Comparison(List<String> column, DataType type, Operator operator, Object literal) implements RowCondition {}

    /// An operator of a comparison.
    enum Operator {
        EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL;

        /// @param order the order of the value relative to the literal, as `compareTo` returns it
        boolean accepts(int order) {
            return switch (this) {
                case EQUAL -> order == 0;
                case NOT_EQUAL -> order != 0;
                case LESS -> order < 0;
                case LESS_OR_EQUAL -> order <= 0;
                case GREATER -> order > 0;
                case GREATER_OR_EQUAL -> order >= 0;
            };
        }

        /// The range of structs whose indices the operator accepts.
        RowRange rows(long value) {
            // No struct has the index Long.MAX_VALUE.
            long next = value == Long.MAX_VALUE ? value : value + 1;
            return switch (this) {
                case EQUAL -> rows(value, next);
                case NOT_EQUAL -> RowRange.ALL;
                case LESS -> rows(0, value);
                case LESS_OR_EQUAL -> rows(0, next);
                case GREATER -> rows(next, Long.MAX_VALUE);
                case GREATER_OR_EQUAL -> rows(value, Long.MAX_VALUE);
            };
        }

        private static RowRange rows(long first, long end) {
            return new RowRange(Math.max(0, first), Math.max(0, end), false);
        }

        /// The operator if the operands are exchanged.
        Operator flipped() {
            return switch (this) {
                case EQUAL, NOT_EQUAL -> this;
                case LESS -> GREATER;
                case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
                case GREATER -> LESS;
                case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
            };
        }
    }
}
