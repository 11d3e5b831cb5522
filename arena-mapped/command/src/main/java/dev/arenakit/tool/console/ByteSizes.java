package dev.arenakit.tool.console;

import java.math.BigInteger;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Sizes as text.
public final class ByteSizes {
    /// The text of an unknown size.
    private static final String UNKNOWN = "?";
    private static final String UNITS = "KMGTPE";
    private static final Pattern SIZE = Pattern.compile(
            "(?:0[xX](?<hexadecimal>\\p{XDigit}+)|(?<digits>\\d+))(?<unit>[" + UNITS + "]?)", Pattern.CASE_INSENSITIVE);

    private ByteSizes() {}

    /// Formats a size, `1.5 TiB`. Rounded sizes have a decimal.
    public static String format(long byteSize) {
        if (byteSize < 1024) {
            return byteSize + " B";
        }
        int unit = (63 - Long.numberOfLeadingZeros(byteSize)) / 10;
        if (byteSize / (double) (1L << (10 * unit)) >= 1023.95) {
            unit++;
        }
        long unitSize = 1L << (10 * unit);
        String text = " " + UNITS.charAt(unit - 1) + "iB";
        if (byteSize % unitSize == 0) {
            return byteSize / unitSize + text;
        }
        long tenths = Math.round(byteSize / (double) unitSize * 10);
        return tenths / 10 + "." + tenths % 10 + text;
    }

    /// Formats a size, or returns `?` if it is unknown.
    public static String format(OptionalLong byteSize) {
        return byteSize.isPresent() ? format(byteSize.getAsLong()) : UNKNOWN;
    }

    /// Returns the sum if both numbers are known, but at most [Long#MAX_VALUE]: two sparse files may have 8 EiB each.
    public static OptionalLong sum(OptionalLong a, OptionalLong b) {
        return a.isPresent() && b.isPresent()
                ? OptionalLong.of(sum(a.getAsLong(), b.getAsLong()))
                : OptionalLong.empty();
    }

    /// Returns the sum, but at most [Long#MAX_VALUE].
    public static long sum(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    /// Parses a number of bytes, in decimal or hexadecimal, and a unit of a power of 1024.
    static long parse(String text) {
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) {
            throw new TypeConversionException("'" + text + "' is not a size such as 4096, 0x1000 or 4K");
        }
        boolean isHexadecimal = size.group("digits") == null;
        String unit = size.group("unit").toUpperCase(Locale.ROOT);
        try {
            return new BigInteger(size.group(isHexadecimal ? "hexadecimal" : "digits"), isHexadecimal ? 16 : 10)
                    .shiftLeft(unit.isEmpty() ? 0 : 10 * (1 + UNITS.indexOf(unit)))
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw new TypeConversionException("'" + text + "' is more than 2^63 - 1 bytes");
        }
    }

    /// Converts the value of an option with [#parse].
    public static final class Converter implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return parse(text);
        }
    }
}
