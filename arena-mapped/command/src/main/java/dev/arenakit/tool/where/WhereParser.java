package dev.arenakit.tool.where;

import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.where.WhereField.Condition;
import dev.arenakit.tool.where.WhereOperand.Step;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Parses a predicate by recursive descent.
///
/// ```text
/// or         = and { "||" and }
/// and        = not { "&&" not }
/// not        = "!" not | "(" or ")" | path [ operator operand ]
/// operand    = name | [ "-" ] number | text
/// path       = name { "." name | "[" number "]" | "[" "*" "]" }
/// ```
final class WhereParser {
    /// Its groups are the constants of [Kind], in order.
    private static final Pattern TOKEN = Pattern.compile("""
            \\s*+(?:([\\p{L}_$][\\p{L}\\p{N}_$]*)\
            |((?:0[xX]\\p{XDigit}+|(?:\\d++(?:\\.\\d++)?|\\.\\d++)(?:[eE][+-]?\\d{1,4}+)?)\\p{L}?)\
            |("(?:[^"\\\\]|\\\\.)*+"|'(?:[^'\\\\]|\\\\.)*+')\
            |(&&|\\|\\||==|!=|!~|<=|>=|[<>!~().\\[\\]*-])|(\\z)|(.))""", Pattern.DOTALL);
    private static final int MAX_NUMBER_LENGTH = 1000;
    /// Deeper nesting would exhaust the stack.
    private static final int MAX_DEPTH = 200;

    private enum Kind {
        NAME, NUMBER, TEXT, SYMBOL, END
    }

    /// @param column the position in the predicate, from 0
    private record Token(Kind kind, String text, int column) {}

    private final Matcher matcher;
    private final WhereOperand.Binder binder;
    /// The next token.
    private Token token = new Token(Kind.END, "", 0);
    private int depth;

    private WhereParser(String text, WhereOperand.Binder binder) {
        matcher = TOKEN.matcher(text);
        this.binder = binder;
    }

    static Condition parse(String text, WhereOperand.Binder binder) throws WhereException {
        WhereParser parser = new WhereParser(text, binder);
        parser.next();
        Condition whole = parser.terms(true);
        if (parser.token.kind() != Kind.END) {
            throw parser.expected("&&, || or the end");
        }
        return whole;
    }

    private Condition terms(boolean isOr) throws WhereException {
        List<Condition> list = new ArrayList<>();
        do {
            list.add(isOr ? terms(false) : not());
        } while (skip(isOr ? "||" : "&&"));
        Condition[] terms = list.toArray(Condition[]::new);
        return terms.length == 1 ? terms[0] : (bytes, at) -> {
            for (Condition term : terms) {
                if (term.test(bytes, at) == isOr) {
                    return isOr;
                }
            }
            return !isOr;
        };
    }

    private Condition not() throws WhereException {
        if (++depth > MAX_DEPTH) {
            throw new WhereException(token.column(), "more than " + MAX_DEPTH + " levels of ! and parentheses");
        }
        Condition result;
        if (skip("!")) {
            Condition term = not();
            result = (bytes, at) -> !term.test(bytes, at);
        } else if (skip("(")) {
            result = terms(true);
            expect(")");
        } else {
            result = comparison();
        }
        depth--;
        return result;
    }

    private Condition comparison() throws WhereException {
        List<Step> field = new ArrayList<>();
        do {
            if (token.kind() != Kind.NAME) {
                throw expected(field.isEmpty() ? "a field" : "the name of a field");
            }
            field.add(new Step(token.text(), 0, 0, next().column()));
            while (skip("[")) {
                field.add(index());
                expect("]");
            }
        } while (skip("."));
        for (WhereOperator operator : WhereOperator.values()) {
            if (skip(operator.symbol())) {
                return binder.compare(field, operator, operand());
            }
        }
        return binder.compare(field, WhereOperator.IS_TRUE, new WhereOperand.Word("", field.getFirst().column()));
    }

    private Step index() throws WhereException {
        Token index = token;
        if (skip("*")) {
            return new Step("", 0, Long.MAX_VALUE, index.column());
        }
        if (index.kind() == Kind.NUMBER && index.text().matches("\\d{1,18}")) {
            long number = number().longValue();
            return new Step("", number, number, index.column());
        }
        throw expected("the index of an element or *");
    }

    private WhereOperand operand() throws WhereException {
        int column = token.column();
        if (skip("-")) {
            return new WhereOperand.Numeral(number().negate(), column);
        }
        return switch (token.kind()) {
            case NUMBER -> new WhereOperand.Numeral(number(), column);
            case NAME -> new WhereOperand.Word(next().text(), column);
            case TEXT -> {
                String quoted = next().text();
                yield new WhereOperand.Quoted(quoted.substring(1, quoted.length() - 1), column);
            }
            default -> throw expected("a number, a text or a constant");
        };
    }

    private BigDecimal number() throws WhereException {
        if (token.kind() != Kind.NUMBER) {
            throw expected("a number");
        }
        Token number = next();
        String text = number.text();
        String problem = "a number of more than " + MAX_NUMBER_LENGTH + " characters";
        if (text.length() <= MAX_NUMBER_LENGTH) {
            try {
                return text.matches("0[xX].*")
                        ? new BigDecimal(new BigInteger(text.substring(2), 16))
                        : new BigDecimal(text);
            } catch (NumberFormatException e) {
                problem = "no number";
            }
        }
        throw new WhereException(number.column(), problem + ": '" + PrintableText.shortened(text) + "'");
    }

    private boolean skip(String symbol) throws WhereException {
        boolean isThere = token.kind() == Kind.SYMBOL && token.text().equals(symbol);
        if (isThere) {
            next();
        }
        return isThere;
    }

    private void expect(String symbol) throws WhereException {
        if (!skip(symbol)) {
            throw expected(symbol);
        }
    }

    private WhereException expected(String what) {
        String found = token.kind() == Kind.END ? "the end" : "'" + PrintableText.shortened(token.text()) + "'";
        return new WhereException(token.column(), "expected " + what + ", found " + found);
    }

    /// Goes to the next token, and returns the token before.
    private Token next() throws WhereException {
        Token before = token;
        matcher.find();
        Kind[] kinds = Kind.values();
        for (int i = 0; i < kinds.length; i++) {
            if (matcher.start(i + 1) >= 0) {
                token = new Token(kinds[i], matcher.group(i + 1), matcher.start(i + 1));
                return before;
            }
        }
        String found = matcher.group(kinds.length + 1);
        throw new WhereException(matcher.end() - 1, found.equals("'") || found.equals("\"")
                ? "the text has no end: " + found + " is missing"
                : "unexpected character '" + found + "': there are == != < <= > >= ~ !~ && || ! ( )");
    }
}
