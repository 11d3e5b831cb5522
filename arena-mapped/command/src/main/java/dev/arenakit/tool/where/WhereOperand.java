package dev.arenakit.tool.where;

import java.math.BigDecimal;
import java.util.List;

/// The right side of a comparison.
sealed interface WhereOperand {
    /// The position in the text, from 0.
    int column();

    record Numeral(BigDecimal value, int column) implements WhereOperand {}

    /// A text in quotes.
    ///
    /// @param escaped the text with its escapes
    record Quoted(String escaped, int column) implements WhereOperand {}

    /// The name of a constant of an enum; empty for a field that stands alone.
    record Word(String word, int column) implements WhereOperand {}

    /// A step to a field: `.name`, `[first]` or `[*]`.
    ///
    /// @param name  empty for elements of an array
    /// @param first the index of the first element
    /// @param last  the index of the last element
    record Step(String name, long first, long last, int column) {}

    /// Makes the condition of a comparison.
    @FunctionalInterface
    interface Binder {
        WhereField.Condition compare(List<Step> field, WhereOperator operator, WhereOperand operand)
                throws WhereException;
    }
}
