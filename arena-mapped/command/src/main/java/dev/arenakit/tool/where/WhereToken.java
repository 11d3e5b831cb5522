package dev.arenakit.tool.where;

import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.where.compiler.WhereOperator;
import java.util.Arrays;
import java.util.Optional;

/// A token of a predicate.
///
/// @param text   the text; for a quoted text, the characters between the quotes, with escapes
/// @param column the position in the predicate, from 0
record WhereToken(Kind kind, String text, int column) {
    enum Kind {
        NAME, NUMBER, TEXT, SYMBOL, END
    }

    boolean is(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    /// The operator that the token is, if it is one.
    Optional<WhereOperator> operator() {
        return Arrays.stream(WhereOperator.values()).filter(operator -> is(operator.symbol())).findFirst();
    }

    /// The token in a message.
    String describe() {
        return switch (kind) {
            case END -> "the end";
            case TEXT -> "a text";
            case NAME, NUMBER, SYMBOL -> "'" + PrintableText.shortened(text) + "'";
        };
    }
}
