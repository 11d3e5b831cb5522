package dev.arenakit.internal.layout.text;

import dev.arenakit.internal.layout.text.LayoutScanner.Kind;
import dev.arenakit.internal.layout.text.LayoutScanner.Token;
import java.util.List;

/// Reads the tokens of a text one by one: signs, names, paths, numbers and the version line.
final class LayoutReader {
    private static final String MEMBER = "the name of a member";

    private final LayoutScanner scanner;
    /// The next token.
    private Token next;

    LayoutReader(String text) {
        scanner = new LayoutScanner(text);
        next = scanner.next();
    }

    Token peek() {
        return next;
    }

    Token take() {
        Token taken = next;
        next = scanner.next();
        return taken;
    }

    Token take(String sign) {
        if (!next.is(sign)) {
            throw next.expected("'" + sign + "'");
        }
        return take();
    }

    boolean takeIf(String sign) {
        boolean is = next.is(sign);
        if (is) {
            take();
        }
        return is;
    }

    Token takeName(String expected) {
        if (next.kind() != Kind.NAME) {
            throw next.expected(expected);
        }
        return take();
    }

    String takeNameIfAny() {
        return next.kind() == Kind.NAME ? take().text() : "";
    }

    /// Reads a number, decimal or hexadecimal. A number that begins with 0 would be octal in C, and is rejected.
    long takeNumber() {
        boolean negative = takeIf("-");
        return takeNumber(negative, false, "a number of 64 bits, decimal or after 0x");
    }

    /// Reads a number that is not negative and has at most 64 bits. The highest bit is the sign of the result.
    long takeUnsignedNumber() {
        return takeNumber(false, true, "an unsigned number of 64 bits, decimal or after 0x");
    }

    private long takeNumber(boolean negative, boolean unsigned, String expected) {
        Token number = next;
        if (number.kind() == Kind.NUMBER) {
            String digits = number.text();
            boolean hexadecimal = digits.startsWith("0x");
            if (hexadecimal || digits.length() == 1 || digits.charAt(0) != '0') {
                String text = (negative ? "-" : "") + digits.substring(hexadecimal ? 2 : 0);
                int radix = hexadecimal ? 16 : 10;
                try {
                    long value = unsigned ? Long.parseUnsignedLong(text, radix) : Long.parseLong(text, radix);
                    take();
                    return value;
                } catch (NumberFormatException _) {
                    // The number is rejected below.
                }
            }
        }
        throw number.expected(expected);
    }

    /// Reads the first line. No later token is scanned before the version is known, since it may belong to another
    /// grammar.
    ///
    /// @param latest the latest version that is supported
    /// @return the version
    int version(int latest, String expected) {
        for (String part : List.of("#", "pragma", "layout")) {
            if (!next.is(part) || next.line() > 1) {
                throw next.expected("'" + expected + "' in the first line");
            }
            next = scanner.next();
        }
        Token version = next;
        if (version.kind() != Kind.NUMBER || version.line() > 1 || !version.text().matches("[1-9][0-9]*")) {
            throw version.expected("the number of a version after '#pragma layout'");
        }
        if (version.text().length() > 1 || version.text().charAt(0) - '0' > latest) {
            throw version.expected("version " + latest + " of the grammar, the latest that is supported");
        }
        take();
        if (next.line() == 1 && next.kind() != Kind.END) {
            throw next.expected("the end of the first line");
        }
        return version.text().charAt(0) - '0';
    }

    /// Reads the name of a member, or the names of nested members with points between them.
    String takePath() {
        StringBuilder path = new StringBuilder(takeName(MEMBER).text());
        while (takeIf(".")) {
            path.append('.').append(takeName(MEMBER).text());
        }
        return path.toString();
    }
}
