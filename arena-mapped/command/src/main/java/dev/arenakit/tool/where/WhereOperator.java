package dev.arenakit.tool.where;

/// A comparison operator.
enum WhereOperator {
    EQUAL("==", 0b010), NOT_EQUAL("!=", 0b101), LESS("<", 0b001), LESS_OR_EQUAL("<=", 0b011), GREATER(">",
            0b100), GREATER_OR_EQUAL(">=", 0b110), MATCHES("~", 0), MATCHES_NOT("!~", 0),
    /// The field stands alone.
    IS_TRUE("", 0);

    private final String symbol;
    /// The bits 0, 1 and 2 say whether the operator accepts less, equal and greater values.
    private final int accepted;

    WhereOperator(String symbol, int accepted) {
        this.symbol = symbol;
        this.accepted = accepted;
    }

    String symbol() {
        return symbol;
    }

    boolean isEquality() {
        return this == EQUAL || this == NOT_EQUAL;
    }

    boolean isMatching() {
        return this == MATCHES || this == MATCHES_NOT;
    }

    /// Compares as Java does: with NaN, only `!=` is true.
    boolean accepts(double left, double right) {
        return (left < right || left > right || left == right)
                ? accepts(left < right ? -1 : left > right ? 1 : 0)
                : this == NOT_EQUAL;
    }

    /// Whether the operator accepts the result of a comparison, as of [Comparable#compareTo].
    boolean accepts(int comparison) {
        return ((accepted >> (Integer.signum(comparison) + 1)) & 1) != 0;
    }
}
