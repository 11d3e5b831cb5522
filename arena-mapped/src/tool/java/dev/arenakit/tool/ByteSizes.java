package dev.arenakit.tool;

import java.math.BigInteger;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Sizes and other numbers as text.
final class ByteSizes {
    /// What the system does not tell.
    private static final String UNKNOWN = "?";
    private static final String UNITS = "KMGTPE";
    private static final Pattern SIZE = Pattern
            .compile("(?:0[xX](?<hex>\\p{XDigit}+)|0(?<octal>[0-7]+)|(?<decimal>0|[1-9]\\d*))"
                    + "(?:(?<unit>[" + UNITS + UNITS.toLowerCase(Locale.ROOT) + "])(?<power>i?[Bb])?)?");

    private ByteSizes() {}

    /// A size for reading, `1.5 TiB`: with a decimal where it has been rounded.
    static String format(long byteSize) {
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

    /// The same where the size is known, else `?`.
    static String format(OptionalLong byteSize) {
        return byteSize.isPresent() ? format(byteSize.getAsLong()) : UNKNOWN;
    }

    /// A number with commas, `1,048,576`.
    static String grouped(long number) {
        String digits = Long.toString(number);
        StringBuilder text = new StringBuilder(digits);
        for (int i = digits.length() - 3; i > 0 && digits.charAt(i - 1) != '-'; i -= 3) {
            text.insert(i, ',');
        }
        return text.toString();
    }

    /// The same where the number is known, else `?`.
    static String grouped(OptionalLong number) {
        return number.isPresent() ? grouped(number.getAsLong()) : UNKNOWN;
    }

    /// A number and what is counted, `1 file` or `2 files`.
    static String count(long number, String singular) {
        return grouped(number) + " " + singular + (number == 1 ? "" : "s");
    }

    /// The sum, known where both are, and no more than a long holds: nothing hinders anybody to make two files of 8 EiB.
    static OptionalLong sum(OptionalLong a, OptionalLong b) {
        return a.isPresent() && b.isPresent()
                ? OptionalLong.of(sum(a.getAsLong(), b.getAsLong()))
                : OptionalLong.empty();
    }

    /// The sum, but no more than a long holds.
    static long sum(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    /// A size as `hexdump` takes it, in whole numbers.
    static long parse(String text) {
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) {
            throw new TypeConversionException("'" + text + "' is not a size such as 4096, 0x1000, 010000, 4K or 4KiB"
                    + " (1024 bytes each) or 4KB (1000)");
        }
        BigInteger bytes = number(size).multiply(factor(size));
        if (bytes.bitLength() > Long.SIZE - 1) {
            throw new TypeConversionException("'" + text + "' is more than 2^63 - 1 bytes");
        }
        return bytes.longValue();
    }

    private static BigInteger number(Matcher size) {
        if (size.group("hex") != null) {
            return new BigInteger(size.group("hex"), 16);
        }
        return size.group("octal") != null
                ? new BigInteger(size.group("octal"), 8)
                : new BigInteger(size.group("decimal"));
    }

    private static BigInteger factor(Matcher size) {
        String unit = size.group("unit");
        if (unit == null) {
            return BigInteger.ONE;
        }
        boolean decimal = "B".equalsIgnoreCase(size.group("power"));
        return BigInteger.valueOf(decimal ? 1000 : 1024).pow(UNITS.indexOf(unit.toUpperCase(Locale.ROOT)) + 1);
    }

    /// [#parse] for an option.
    static final class Converter implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return parse(text);
        }
    }
}
