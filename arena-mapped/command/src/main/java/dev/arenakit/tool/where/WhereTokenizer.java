package dev.arenakit.tool.where;

import dev.arenakit.tool.console.PrintableText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Divides a predicate into tokens.
final class WhereTokenizer {
    private static final Pattern TOKEN = Pattern.compile("""
            (?<name>[\\p{L}_$][\\p{L}\\p{N}_$]*)\
            |(?<number>0[xX]\\p{XDigit}+|(?:\\d++(?:\\.\\d++)?|\\.\\d++)(?:[eE][+-]?\\d{1,4}+)?)\
            |(?<symbol>&&|\\|\\||==|!=|!~|<=|>=|[<>!~().\\[\\]*-])\
            |"(?<double>(?:[^"\\\\]|\\\\.)*+)"|'(?<single>(?:[^'\\\\]|\\\\.)*+)'""", Pattern.DOTALL);
    private static final int MAX_NUMBER_LENGTH = 1000;

    enum Kind {
        NAME, NUMBER, TEXT, SYMBOL, END
    }

    /// A token of a predicate.
    ///
    /// @param text   the text; for a quoted text, the characters between the quotes, with escapes
    /// @param column the position in the predicate, from 0
    record Token(Kind kind, String text, int column) {
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

    private WhereTokenizer() {}

    static List<Token> scan(String text) throws WhereException {
        List<Token> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(text);
        int at = start(text, 0);
        while (at < text.length()) {
            if (!matcher.region(at, text.length()).lookingAt()) {
                throw new WhereException(at, problem(text, at));
            }
            Token token = token(matcher, at);
            if (token.kind() == Kind.NUMBER) {
                checkNumber(text, at, matcher.end());
            }
            tokens.add(token);
            at = start(text, matcher.end());
        }
        tokens.add(new Token(Kind.END, "", text.length()));
        return tokens;
    }

    private static Token token(Matcher matcher, int at) {
        if (matcher.group("name") != null) {
            return new Token(Kind.NAME, matcher.group("name"), at);
        }
        if (matcher.group("number") != null) {
            return new Token(Kind.NUMBER, matcher.group("number"), at);
        }
        if (matcher.group("symbol") != null) {
            return new Token(Kind.SYMBOL, matcher.group("symbol"), at);
        }
        String quoted = matcher.group("double");
        return new Token(Kind.TEXT, quoted == null ? matcher.group("single") : quoted, at);
    }

    /// Refuses a number that is too long, or that a character follows that no number contains.
    private static void checkNumber(String text, int start, int end) throws WhereException {
        if (end - start > MAX_NUMBER_LENGTH) {
            throw new WhereException(start, "a number of more than " + MAX_NUMBER_LENGTH + " characters: '"
                    + PrintableText.shortened(text.substring(start, end)) + "'");
        }
        if (end < text.length() && Character.isLetterOrDigit(text.charAt(end))) {
            throw new WhereException(start,
                    "no number: '" + PrintableText.shortened(text.substring(start, end + 1)) + "'");
        }
    }

    private static String problem(String text, int at) {
        char found = text.charAt(at);
        return switch (found) {
            case '"', '\'' -> "the text has no end: " + found + " is missing";
            case '=' -> "'=' is no comparison: use ==";
            case '&' -> "'&' is no operator: use &&";
            case '|' -> "'|' is no operator: use ||";
            default -> "unexpected character '" + found + "'";
        };
    }

    private static int start(String text, int from) {
        int at = from;
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at;
    }
}
