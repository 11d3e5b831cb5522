package dev.arenakit.tool.importing;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Parses values as `show --json` and `export --csv` print them, and stores them in the bytes of a struct.
final class ValueParser {
    private static final int LISTED_CONSTANTS = 8;
    /// More digits than an integer of 64 bits has, so that leading zeros are accepted. The parsing time grows with the
    /// square of this number.
    private static final int MOST_DIGITS = 40;
    /// A number in JSON, or a number without digits before or after the point, as other programs print it.
    private static final Pattern DECIMAL = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
    /// What is no finite number, as Java, C, Python and other programs print it.
    private static final Pattern NAN = Pattern.compile("[+-]?nan", Pattern.CASE_INSENSITIVE);
    private static final Pattern INFINITY = Pattern.compile("[+-]?inf(inity)?", Pattern.CASE_INSENSITIVE);

    private ValueParser() {}

    /// Stores a value.
    ///
    /// @param path for the message of an error
    /// @param type neither a struct, a union nor an array
    /// @param at   the offset of the value
    static void store(String path, MemoryType type, String text, byte[] struct, int at) throws ImportException {
        switch (type) {
            case ValueType value -> storeValue(path, value, text, struct, at);
            case UnsignedType unsigned -> put(struct, at, (int) unsigned.byteSize(), unsigned.order(),
                    integer(path, text, Byte.SIZE * (int) unsigned.byteSize(), false));
            case BitFieldType bits -> storeBits(path, bits, text, struct, at);
            case EnumType constants -> put(struct, at, (int) constants.byteSize(), constants.order(),
                    constant(path, constants, text, Byte.SIZE * (int) constants.byteSize()));
            case AddressType address -> put(struct, at, Long.BYTES, address.order(), address(path, text));
            case StringType string -> storeText(path, string, text, struct, at);
            case ArrayType _,StructType _,UnionType _ -> throw new IllegalArgumentException(path);
        }
    }

    private static void storeValue(String path, ValueType type, String text, byte[] struct, int at)
            throws ImportException {
        int bits = Byte.SIZE * (int) type.byteSize();
        long value = switch (type.carrier().descriptorString().charAt(0)) {
            case 'Z' -> bool(path, text);
            case 'C' -> character(path, text);
            case 'F' -> Float.floatToRawIntBits((float) floating(path, text, true));
            case 'D' -> Double.doubleToRawLongBits(floating(path, text, false));
            default -> integer(path, text, bits, true);
        };
        put(struct, at, (int) type.byteSize(), type.order(), value);
    }

    private static long bool(String path, String text) throws ImportException {
        return switch (text) {
            case "true", "1" -> 1;
            case "false", "0" -> 0;
            default -> throw ImportException.value(path, text, "is no boolean: write true or false");
        };
    }

    private static long character(String path, String text) throws ImportException {
        if (text.length() > 1) {
            throw ImportException.value(path, text, "is more than one character");
        }
        return text.isEmpty() ? 0 : text.charAt(0);
    }

    private static double floating(String path, String text, boolean isFloat) throws ImportException {
        if (NAN.matcher(text).matches()) {
            return Double.NaN;
        }
        if (INFINITY.matcher(text).matches()) {
            return text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        if (!DECIMAL.matcher(text).matches()) {
            throw ImportException.value(path, text, "is no number: write one as 9.5, 1e-3, nan, inf or -inf");
        }
        double value = isFloat ? Float.parseFloat(text) : Double.parseDouble(text);
        if (Double.isInfinite(value)) {
            throw ImportException.value(path, text, "is out of range: largest="
                    + (isFloat ? Float.toString(Float.MAX_VALUE) : Double.toString(Double.MAX_VALUE)));
        }
        return value;
    }

    private static long integer(String path, String text, int bitSize, boolean isSigned) throws ImportException {
        BigInteger value;
        try {
            if (text.length() > MOST_DIGITS) {
                throw ImportException.value(path, text, "is no integer of " + bitSize + " bits: it has "
                        + text.length() + " characters");
            }
            value = new BigInteger(text);
        } catch (NumberFormatException e) {
            throw ImportException.value(path, text, "is no integer: write decimal digits");
        }
        BigInteger least = isSigned ? BigInteger.TWO.pow(bitSize - 1).negate() : BigInteger.ZERO;
        BigInteger largest = BigInteger.TWO.pow(isSigned ? bitSize - 1 : bitSize).subtract(BigInteger.ONE);
        if (value.compareTo(least) < 0 || value.compareTo(largest) > 0) {
            throw ImportException.value(path, text, "is out of range: least=" + least + ", largest=" + largest);
        }
        return value.longValue();
    }

    private static long constant(String path, EnumType type, String text, int bitSize) throws ImportException {
        Optional<EnumType.Constant> named = type.constants()
                .stream()
                .filter(constant -> constant.name().equals(text))
                .findFirst();
        if (named.isPresent()) {
            return named.get().value();
        }
        if (text.isEmpty() || "+-0123456789".indexOf(text.charAt(0)) < 0) {
            throw ImportException.value(path, text, "is no constant: write the integer, or one of " + type.constants()
                    .stream()
                    .limit(LISTED_CONSTANTS)
                    .map(EnumType.Constant::name)
                    .collect(Collectors.joining(", "))
                    + (type.constants().size() > LISTED_CONSTANTS ? " ..." : ""));
        }
        return integer(path, text, bitSize, !type.isUnsigned());
    }

    private static long address(String path, String text) throws ImportException {
        try {
            return text.startsWith("0x")
                    ? Long.parseUnsignedLong(text, 2, text.length(), 16)
                    : Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw ImportException.value(path, text, "is no address: write 0x and hexadecimal digits");
        }
    }

    private static void storeBits(String path, BitFieldType type, String text, byte[] struct, int at)
            throws ImportException {
        long value = switch (type.declared()) {
            case EnumType constants -> constant(path, constants, text, type.bitSize());
            case ValueType bool when bool.carrier() == boolean.class -> bool(path, text);
            default -> integer(path, text, type.bitSize(), type.isSigned());
        };
        int byteSize = (int) type.byteSize();
        long mask = (-1L >>> (Long.SIZE - type.bitSize())) << type.shift();
        long others = get(struct, at, byteSize, type.order()) & ~mask;
        put(struct, at, byteSize, type.order(), others | ((value << type.shift()) & mask));
    }

    private static void storeText(String path, StringType type, String text, byte[] struct, int at)
            throws ImportException {
        if (type.prefixByteSize() == 0 && type.padding() == StringType.Padding.NUL && text.indexOf('\0') >= 0) {
            throw ImportException.value(path, text, "has a NUL, which would end the text");
        }
        ByteBuffer encoded;
        try {
            encoded = type.charset().newEncoder().encode(CharBuffer.wrap(text));
        } catch (CharacterCodingException e) {
            throw ImportException.value(path, text, "cannot be encoded in " + type.charset());
        }
        long units = encoded.remaining() / type.unitByteSize();
        long largest = type.prefixByteSize() == 0
                ? type.length()
                : Math.min(type.length(), -1L >>> (Long.SIZE - Byte.SIZE * type.prefixByteSize()));
        if (units > largest) {
            throw ImportException.value(path, text, "is too long: length=" + units + " code units of " + type.charset()
                    + ", largest=" + largest);
        }
        int end = at + (int) type.byteSize();
        put(struct, at, type.prefixByteSize(), type.prefixOrder(), units);
        int start = at + type.prefixByteSize();
        int byteSize = encoded.remaining();
        encoded.get(struct, start, byteSize);
        if (type.padding() == StringType.Padding.SPACE) {
            byte[] space = " ".getBytes(type.charset());
            for (int i = start + byteSize; i < end; i++) {
                struct[i] = space[(i - start) % space.length];
            }
        } else {
            Arrays.fill(struct, start + byteSize, end, (byte) 0);
        }
    }

    private static long get(byte[] struct, int at, int byteSize, ByteOrder order) {
        long value = 0;
        for (int i = 0; i < byteSize; i++) {
            int from = order == ByteOrder.LITTLE_ENDIAN ? byteSize - 1 - i : i;
            value = (value << Byte.SIZE) | (struct[at + from] & 0xff);
        }
        return value;
    }

    private static void put(byte[] struct, int at, int byteSize, ByteOrder order, long value) {
        for (int i = 0; i < byteSize; i++) {
            int to = order == ByteOrder.LITTLE_ENDIAN ? i : byteSize - 1 - i;
            struct[at + to] = (byte) (value >>> (Byte.SIZE * i));
        }
    }
}
