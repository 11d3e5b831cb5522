package dev.arenakit.tool.where;

import java.math.BigDecimal;
import java.util.List;
import java.util.Set;

/// A predicate as the user has written it, which is independent of a type.
sealed interface WhereExpression {
    /// `first || second || ...`
    record Or(List<WhereExpression> terms) implements WhereExpression {}

    /// `first && second && ...`
    record And(List<WhereExpression> terms) implements WhereExpression {}

    /// `!term`
    record Not(WhereExpression term) implements WhereExpression {}

    /// `left == right`
    record Comparison(Operand left, WhereOperator operator, Operand right) implements WhereExpression {}

    /// `flag`, which must be true or false.
    record Truth(Operand operand) implements WhereExpression {}

    /// An operand of a comparison.
    sealed interface Operand {
        /// The position in the text, from 0.
        int column();
    }

    /// A field, a keyword such as `true`, or the name of a constant. A field of the same name hides a keyword.
    record Path(List<Step> steps, int column) implements Operand {
        static final String TRUE = "true";
        static final String FALSE = "false";
        static final String NAN = "nan";
        static final String INFINITY = "infinity";
        /// The index of the struct in its allocation.
        static final String INDEX = "index";
        private static final Set<String> KEYWORDS = Set.of(TRUE, FALSE, NAN, INFINITY, INDEX);

        boolean isKeyword() {
            return KEYWORDS.contains(word());
        }

        /// The path if it is a single name, otherwise "".
        String word() {
            return steps.size() == 1 && steps.getFirst() instanceof Name name ? name.name() : "";
        }
    }

    /// A finite number.
    record Numeral(BigDecimal value, int column) implements Operand {}

    /// Minus infinity. Positive infinity is a keyword.
    record MinusInfinity(int column) implements Operand {}

    /// A text in quotes.
    ///
    /// @param escaped the text with its escapes
    record Quoted(String escaped, int column) implements Operand {}

    /// A step of a path.
    sealed interface Step {
        /// The position in the text, from 0.
        int column();
    }

    /// `.name`, or the name at the beginning.
    record Name(String name, int column) implements Step {}

    /// `[index]`
    record Index(long index, int column) implements Step {}

    /// `[*]`
    record Every(int column) implements Step {}
}
