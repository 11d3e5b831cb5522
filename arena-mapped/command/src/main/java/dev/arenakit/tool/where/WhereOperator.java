package dev.arenakit.tool.where;

/// A comparison operator.
enum WhereOperator {
    EQUAL("=="), NOT_EQUAL("!="), LESS("<"), LESS_OR_EQUAL("<="), GREATER(">"), GREATER_OR_EQUAL(">="), MATCHES(
            "~"), MATCHES_NOT("!~");

    private final String symbol;

    WhereOperator(String symbol) {
        this.symbol = symbol;
    }

    String symbol() {
        return symbol;
    }

    /// The operator that gives the same result if the operands are exchanged.
    WhereOperator reversed() {
        return switch (this) {
            case LESS -> GREATER;
            case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
            case GREATER -> LESS;
            case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
            case EQUAL, NOT_EQUAL, MATCHES, MATCHES_NOT -> this;
        };
    }

    boolean isEquality() {
        return this == EQUAL || this == NOT_EQUAL;
    }

    boolean isMatching() {
        return this == MATCHES || this == MATCHES_NOT;
    }

    /// Compares as Java does: with NaN, only `!=` is true.
    boolean accepts(double left, double right) {
        if (Double.isNaN(left) || Double.isNaN(right)) {
            return this == NOT_EQUAL;
        }
        return accepts(left < right ? -1 : left > right ? 1 : 0);
    }

    /// Whether the operator accepts the result of a comparison, as of [Comparable#compareTo].
    boolean accepts(int comparison) {
        return switch (this) {
            case EQUAL -> comparison == 0;
            case NOT_EQUAL -> comparison != 0;
            case LESS -> comparison < 0;
            case LESS_OR_EQUAL -> comparison <= 0;
            case GREATER -> comparison > 0;
            case GREATER_OR_EQUAL -> comparison >= 0;
            case MATCHES, MATCHES_NOT -> throw new AssertionError("No comparison: " + this);
        };
    }
}
