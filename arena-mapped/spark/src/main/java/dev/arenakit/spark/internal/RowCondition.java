package dev.arenakit.spark.internal;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/// A condition on columns that are never null, in the form in which executors get it.
sealed interface RowCondition extends Serializable {
    /// The names of the columns.
    default List<String> columns() {
        return switch (this) {
            case And and -> columns(and.conditions);
            case Or or -> columns(or.conditions);
            case Not not -> not.condition.columns();
            case Always _ -> List.of();
            case Comparison comparison -> List.of(comparison.column.getFirst());
        };
    }

    private static List<String> columns(List<RowCondition> conditions) {
        return conditions.stream().flatMap(condition -> condition.columns().stream()).toList();
    }

    /// All conditions hold.
    record And(List<RowCondition> conditions) implements RowCondition {}

    /// At least one condition holds.
    record Or(List<RowCondition> conditions) implements RowCondition {}

    /// A condition does not hold.
    record Not(RowCondition condition) implements RowCondition {}

    /// Any row.
    record Always() implements RowCondition {}

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
