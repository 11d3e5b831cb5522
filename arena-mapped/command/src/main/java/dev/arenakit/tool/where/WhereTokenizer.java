package dev.arenakit.tool.where;

import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.where.WhereToken.Kind;
import java.util.ArrayList;
import java.util.List;
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

    private WhereTokenizer() {}

    static List<WhereToken> scan(String text) throws WhereException {
        List<WhereToken> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(text);
        int at = start(text, 0);
        while (at < text.length()) {
            if (!matcher.region(at, text.length()).lookingAt()) {
                throw new WhereException(at, problem(text, at));
            }
            WhereToken token = token(matcher, at);
            if (token.kind() == Kind.NUMBER) {
                checkNumber(text, at, matcher.end());
            }
            tokens.add(token);
            at = start(text, matcher.end());
        }
        tokens.add(new WhereToken(Kind.END, "", text.length()));
        return tokens;
    }

    private static WhereToken token(Matcher matcher, int at) {
        if (matcher.group("name") != null) {
            return new WhereToken(Kind.NAME, matcher.group("name"), at);
        }
        if (matcher.group("number") != null) {
            return new WhereToken(Kind.NUMBER, matcher.group("number"), at);
        }
        if (matcher.group("symbol") != null) {
            return new WhereToken(Kind.SYMBOL, matcher.group("symbol"), at);
        }
        String quoted = matcher.group("double");
        return new WhereToken(Kind.TEXT, quoted == null ? matcher.group("single") : quoted, at);
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
