package dev.arenakit.tool.where;

import dev.arenakit.tool.where.WhereExpression.Operand;
import dev.arenakit.tool.where.WhereExpression.Step;
import dev.arenakit.tool.where.WhereTokenizer.Kind;
import dev.arenakit.tool.where.WhereTokenizer.Token;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Parses a predicate by recursive descent.
///
/// ```text
/// or         = and { "||" and }
/// and        = not { "&&" not }
/// not        = "!" not | "(" or ")" | operand [ operator operand ]
/// operand    = path | [ "-" ] number | text
/// path       = name { "." name | "[" number "]" | "[" "*" "]" }
/// ```
final class WhereParser {
    /// Deeper nesting would exhaust the stack.
    private static final int MAX_DEPTH = 200;

    private final List<Token> tokens;
    private int next;
    private int depth;

    private WhereParser(List<Token> tokens) {
        this.tokens = tokens;
    }

    static WhereExpression parse(String text) throws WhereException {
        WhereParser parser = new WhereParser(WhereTokenizer.scan(text));
        WhereExpression whole = parser.or();
        Token end = parser.peek();
        if (end.kind() != Kind.END) {
            throw new WhereException(end.column(), "expected &&, || or the end, found " + end.describe());
        }
        return whole;
    }

    private WhereExpression or() throws WhereException {
        List<WhereExpression> terms = new ArrayList<>(List.of(and()));
        while (skip("||")) {
            terms.add(and());
        }
        return terms.size() == 1 ? terms.getFirst() : new WhereExpression.Or(terms);
    }

    private WhereExpression and() throws WhereException {
        List<WhereExpression> terms = new ArrayList<>(List.of(not()));
        while (skip("&&")) {
            terms.add(not());
        }
        return terms.size() == 1 ? terms.getFirst() : new WhereExpression.And(terms);
    }

    private WhereExpression not() throws WhereException {
        int column = peek().column();
        if (++depth > MAX_DEPTH) {
            throw new WhereException(column, "more than " + MAX_DEPTH + " levels of ! and parentheses");
        }
        WhereExpression result;
        if (skip("!")) {
            result = new WhereExpression.Not(not());
        } else if (skip("(")) {
            result = or();
            if (!skip(")")) {
                throw new WhereException(peek().column(), "expected ), found " + peek().describe());
            }
        } else {
            result = comparison();
        }
        depth--;
        return result;
    }

    private WhereExpression comparison() throws WhereException {
        Operand left = operand();
        Optional<WhereOperator> operator = peek().operator();
        if (operator.isEmpty()) {
            return new WhereExpression.Truth(left);
        }
        next++;
        return new WhereExpression.Comparison(left, operator.get(), operand());
    }

    private Operand operand() throws WhereException {
        Token token = tokens.get(next);
        boolean isNegative = skip("-");
        Token value = tokens.get(next++);
        if (value.kind() == Kind.NUMBER) {
            return new WhereExpression.Numeral(isNegative ? number(value).negate() : number(value), token.column());
        }
        if (isNegative && value.kind() == Kind.NAME && value.text().equals(WhereExpression.Path.INFINITY)) {
            return new WhereExpression.MinusInfinity(token.column());
        }
        if (!isNegative && value.kind() == Kind.NAME) {
            return path(value);
        }
        if (!isNegative && value.kind() == Kind.TEXT) {
            return new WhereExpression.Quoted(value.text(), value.column());
        }
        throw new WhereException(value.column(), "expected "
                + (isNegative ? "a number" : "a field, a number or a text") + ", found " + value.describe());
    }

    private Operand path(Token first) throws WhereException {
        List<Step> steps = new ArrayList<>(List.of(new WhereExpression.Name(first.text(), first.column())));
        while (true) {
            if (skip(".")) {
                Token name = tokens.get(next++);
                if (name.kind() != Kind.NAME) {
                    throw new WhereException(name.column(),
                            "expected the name of a field, found " + name.describe());
                }
                steps.add(new WhereExpression.Name(name.text(), name.column()));
            } else if (skip("[")) {
                steps.add(index());
                if (!skip("]")) {
                    throw new WhereException(peek().column(), "expected ], found " + peek().describe());
                }
            } else {
                return new WhereExpression.Path(steps, first.column());
            }
        }
    }

    private Step index() throws WhereException {
        int column = peek().column();
        if (skip("*")) {
            return new WhereExpression.Every(column);
        }
        Token token = tokens.get(next++);
        try {
            if (token.kind() == Kind.NUMBER) {
                return new WhereExpression.Index(number(token).longValueExact(), column);
            }
        } catch (ArithmeticException e) {
            // The number is not an index; the exception follows.
        }
        throw new WhereException(column, "expected the index of an element or *, found " + token.describe());
    }

    private static BigDecimal number(Token token) {
        String text = token.text();
        return text.startsWith("0x") || text.startsWith("0X")
                ? new BigDecimal(new BigInteger(text.substring(2), 16))
                : new BigDecimal(text);
    }

    private Token peek() {
        return tokens.get(next);
    }

    private boolean skip(String symbol) {
        boolean isThere = peek().is(symbol);
        if (isThere) {
            next++;
        }
        return isThere;
    }
}
