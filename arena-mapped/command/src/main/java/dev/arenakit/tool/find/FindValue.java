package dev.arenakit.tool.find;

import dev.arenakit.tool.console.PrintableText;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A number to find, such as `int32=-5`, `uint64=0xffff` or `double=9.5`.
final class FindValue {
    private static final Pattern INTEGER = Pattern.compile("(?<unsigned>u?)int(?<bits>8|16|32|64)(?:_t)?");
    private static final Pattern NUMBER = Pattern
            .compile("(?<sign>[-+]?)(?:0[xX](?<hexadecimal>\\p{XDigit}++)|(?<digits>\\d++))");

    private FindValue() {}

    /// Returns the bytes of a number.
    ///
    /// @throws IllegalArgumentException with a message for the user
    static byte[] bytes(String text, ByteOrder order) {
        int equals = text.indexOf('=');
        if (equals < 0) {
            throw new IllegalArgumentException(quote(text) + " has no type and value such as int32=1000");
        }
        String type = text.substring(0, equals).strip().toLowerCase(Locale.ROOT);
        return bytes(type, text.substring(equals + 1).strip(), order);
    }

    private static byte[] bytes(String type, String value, ByteOrder order) {
        return switch (type) {
            case "float", "float32" -> {
                float number = (float) floating(type, value, Float::parseFloat, Float.MAX_VALUE);
                yield ByteBuffer.allocate(Float.BYTES).order(order).putFloat(number).array();
            }
            case "double", "float64" -> {
                double number = floating(type, value, Double::parseDouble, Double.MAX_VALUE);
                yield ByteBuffer.allocate(Double.BYTES).order(order).putDouble(number).array();
            }
            default -> {
                Matcher integer = INTEGER.matcher(type);
                if (!integer.matches()) {
                    throw new IllegalArgumentException(quote(type) + " is no type: there are int8, uint8, int16,"
                            + " uint16, int32, uint32, int64, uint64, float and double");
                }
                yield integer(integer, value, order);
            }
        };
    }

    private static double floating(String type, String value, ToDoubleFunction<String> parser, double largest) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "nan" -> Double.NaN;
            case "infinity" -> Double.POSITIVE_INFINITY;
            case "-infinity" -> Double.NEGATIVE_INFINITY;
            default -> {
                double number;
                try {
                    number = parser.applyAsDouble(value);
                } catch (NumberFormatException e) {
                    throw noNumber(type, value, e);
                }
                if (Double.isInfinite(number)) {
                    throw outOfRange(type, value, -largest, largest);
                }
                yield number;
            }
        };
    }

    private static byte[] integer(Matcher type, String value, ByteOrder order) {
        int bits = Integer.parseInt(type.group("bits"));
        boolean isUnsigned = !type.group("unsigned").isEmpty();
        BigInteger number = parse(type.group(), value);
        BigInteger smallest = isUnsigned ? BigInteger.ZERO : BigInteger.ONE.shiftLeft(bits - 1).negate();
        BigInteger largest = BigInteger.ONE.shiftLeft(isUnsigned ? bits : bits - 1).subtract(BigInteger.ONE);
        if (number.compareTo(smallest) < 0 || number.compareTo(largest) > 0) {
            throw outOfRange(type.group(), value, smallest, largest);
        }
        int size = bits / Byte.SIZE;
        byte[] bytes = ByteBuffer.allocate(Long.BYTES).order(order).putLong(number.longValue()).array();
        return order == ByteOrder.LITTLE_ENDIAN
                ? Arrays.copyOf(bytes, size)
                : Arrays.copyOfRange(bytes, Long.BYTES - size, Long.BYTES);
    }

    private static BigInteger parse(String type, String value) {
        Matcher number = NUMBER.matcher(value);
        if (!number.matches()) {
            throw noNumber(type, value, null);
        }
        String digits = number.group("digits");
        return new BigInteger(number.group("sign") + (digits == null ? number.group("hexadecimal") : digits),
                digits == null ? 16 : 10);
    }

    private static IllegalArgumentException noNumber(String type, String value, @Nullable Exception cause) {
        return new IllegalArgumentException(quote(value) + " is no number of type " + type, cause);
    }

    private static IllegalArgumentException outOfRange(String type, String value, Number smallest, Number largest) {
        return new IllegalArgumentException(PrintableText.shortened(value) + " is out of range: " + type + " has "
                + smallest + " to " + largest);
    }

    private static String quote(String text) {
        return "'" + PrintableText.shortened(text) + "'";
    }
}
