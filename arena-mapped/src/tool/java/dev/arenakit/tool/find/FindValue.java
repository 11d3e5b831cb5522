package dev.arenakit.tool.find;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A number to find, such as `int32=-5`, `uint64=0xffff` or `double=9.5`.
final class FindValue {
    private static final Pattern INTEGER = Pattern.compile("(?<unsigned>u?)int(?<bits>8|16|32|64)(?:_t)?");

    private FindValue() {}

    /// Returns the bytes of a number.
    ///
    /// @throws IllegalArgumentException with a message for the user
    static byte[] bytes(String text, ByteOrder order) {
        int equals = text.indexOf('=');
        if (equals < 0) {
            throw new IllegalArgumentException("'" + text + "' has no type and value such as int32=1000");
        }
        String type = text.substring(0, equals);
        String value = text.substring(equals + 1).strip();
        try {
            return bytes(type.strip().toLowerCase(Locale.ROOT), value, order);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + value + "' is no number of type " + type, e);
        }
    }

    private static byte[] bytes(String type, String value, ByteOrder order) {
        return switch (type) {
            case "float", "float32" ->
                ByteBuffer.allocate(Float.BYTES).order(order).putFloat(Float.parseFloat(value)).array();
            case "double", "float64" ->
                ByteBuffer.allocate(Double.BYTES).order(order).putDouble(Double.parseDouble(value)).array();
            default -> {
                Matcher integer = INTEGER.matcher(type);
                if (!integer.matches()) {
                    throw new IllegalArgumentException(
                            "'" + type + "' is no type: there are int8, uint8, int16, uint16,"
                                    + " int32, uint32, int64, uint64, float and double");
                }
                yield bytes(integer, value, order);
            }
        };
    }

    private static byte[] bytes(Matcher type, String value, ByteOrder order) {
        int bits = Integer.parseInt(type.group("bits"));
        boolean isUnsigned = !type.group("unsigned").isEmpty();
        BigInteger number = parse(value);
        BigInteger smallest = isUnsigned ? BigInteger.ZERO : BigInteger.ONE.shiftLeft(bits - 1).negate();
        BigInteger largest = BigInteger.ONE.shiftLeft(isUnsigned ? bits : bits - 1).subtract(BigInteger.ONE);
        if (number.compareTo(smallest) < 0 || number.compareTo(largest) > 0) {
            throw new IllegalArgumentException(
                    value + " is out of range: " + type.group() + " has " + smallest + " to " + largest);
        }
        int size = bits / Byte.SIZE;
        ByteBuffer bytes = ByteBuffer.allocate(size);
        for (int i = 0; i < size; i++) {
            int index = order == ByteOrder.LITTLE_ENDIAN ? i : size - 1 - i;
            bytes.put(index, (byte) (number.longValue() >> (Byte.SIZE * i)));
        }
        return bytes.array();
    }

    private static BigInteger parse(String value) {
        boolean isNegative = value.startsWith("-");
        String digits = isNegative ? value.substring(1) : value;
        BigInteger number = digits.startsWith("0x") || digits.startsWith("0X")
                ? new BigInteger(digits.substring(2), 16)
                : new BigInteger(digits);
        return isNegative ? number.negate() : number;
    }
}
