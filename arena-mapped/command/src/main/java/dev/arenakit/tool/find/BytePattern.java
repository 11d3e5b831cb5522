package dev.arenakit.tool.find;

import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A sequence of bytes with optional wildcards for bits. A pattern never matches bytes that are all zero, since nobody
/// can tell whether they were written.
final class BytePattern {
    private final int length;
    private final boolean canBeZero;
    /// A regular expression for text in ISO 8859-1, whose characters are the bytes.
    private final Pattern pattern;

    /// @param digits two digits of each byte
    private BytePattern(String digits) {
        if (digits.isEmpty()) {
            throw new IllegalArgumentException("there are no bytes to search for");
        }
        if (digits.matches("0+")) {
            throw new IllegalArgumentException("bytes that are all zero are not found: holes consist of them");
        }
        length = digits.length() / 2;
        canBeZero = digits.matches("[0?]+");
        pattern = Pattern.compile(IntStream.range(0, length)
                .mapToObj(i -> expression(digits.charAt(2 * i), digits.charAt(2 * i + 1)))
                .collect(Collectors.joining()), Pattern.DOTALL);
    }

    private static String expression(char high, char low) {
        if (high != '?') {
            return low == '?' ? "[\\x%1$c0-\\x%1$cf]".formatted(high) : "\\x" + high + low;
        }
        return low == '?'
                ? "."
                : IntStream.range(0, 16)
                        .mapToObj(digit -> "\\x" + HexFormat.of().toHexDigits(digit, 1) + low)
                        .collect(Collectors.joining("", "[", "]"));
    }

    /// Makes a pattern without wildcards.
    ///
    /// @throws IllegalArgumentException if there are no bytes, or all bytes are zero
    static BytePattern of(byte[] bytes) {
        return new BytePattern(HexFormat.of().formatHex(bytes));
    }

    /// Parses hexadecimal digits. A `?` stands for any digit: `7f 45 ?? 4?`.
    ///
    /// @throws IllegalArgumentException with a message for the user
    static BytePattern parse(String text) {
        String digits = text.replaceAll("\\s", "");
        if (digits.length() % 2 != 0) {
            throw new IllegalArgumentException("the last byte has one digit: each has two, such as 0f or 7?");
        }
        digits.chars().filter(digit -> digit != '?' && !HexFormat.isHexDigit(digit)).findFirst().ifPresent(digit -> {
            throw new IllegalArgumentException("'" + (char) digit + "' is no hexadecimal digit and no ?");
        });
        return new BytePattern(digits);
    }

    int length() {
        return length;
    }

    /// Returns a matcher of bytes that are characters in ISO 8859-1. Its matches count if they are [accepted][#accepts].
    Matcher matcher(String bytes) {
        return pattern.matcher(bytes);
    }

    boolean accepts(String match) {
        return !canBeZero || match.chars().anyMatch(value -> value != 0);
    }
}
