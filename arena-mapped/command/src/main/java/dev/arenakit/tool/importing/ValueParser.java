package dev.arenakit.tool.importing;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Parses values as `show --json` and `export --csv` print them, and stores them in the bytes of a struct.
final class ValueParser {
    private static final Pattern INTEGER = Pattern.compile("[+-]?\\d++");
    /// A number in JSON, or a number without digits before or after the point, as other programs print it.
    private static final Pattern DECIMAL = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

    /// A reference as [RefType#text] prints it.
    private static final Pattern REFERENCE = Pattern.compile(
            "(.*?)(?:\\[(\\d+)]|\\+0x(\\p{XDigit}+))(?: \\([a-z ]+(?:\\[\\d+])?\\))?");

    private ValueParser() {}

    /// Parses an index, or a number of structs.
    static long index(String field, String text) throws ImportException {
        return integer(field, text, Long.SIZE - 1, false);
    }

    /// Stores a value.
    ///
    /// @param path for the message of an error
    /// @param type neither a struct, a union nor an array
    /// @param at   the offset of the value
    static void store(String path, MemoryType type, String text, byte[] struct, int at) throws ImportException {
        int byteSize = (int) type.byteSize();
        switch (type) {
            case StringType string -> storeText(path, string, text, struct, at);
            case BitFieldType bits -> {
                long mask = -1L >>> (Long.SIZE - bits.bitSize()) << bits.shift();
                long value = number(path, bits.declared(), text, bits.bitSize());
                put(struct, at, byteSize, bits.order(), value << bits.shift(), mask);
            }
            default -> put(struct, at, byteSize, order(type), number(path, type, text, Byte.SIZE * byteSize), -1);
        }
    }

    private static ByteOrder order(MemoryType type) {
        return switch (type) {
            case ValueType value -> value.order();
            case UnsignedType unsigned -> unsigned.order();
            case EnumType constants -> constants.order();
            case AddressType address -> address.order();
            case RefType reference -> reference.order();
            default -> throw new IllegalArgumentException(type.toString());
        };
    }

    private static long number(String path, MemoryType type, String text, int bitSize) throws ImportException {
        return switch (type) {
            case EnumType constants -> constant(path, constants, text, bitSize);
            case AddressType _ -> address(path, text);
            case RefType reference -> reference(path, reference, text);
            case ValueType value -> switch (value.carrier().descriptorString().charAt(0)) {
                case 'Z' -> bool(path, text);
                case 'C' -> character(path, text);
                case 'F' -> Float.floatToRawIntBits((float) floating(path, text, true));
                case 'D' -> Double.doubleToRawLongBits(floating(path, text, false));
                default -> integer(path, text, bitSize, true);
            };
            default -> integer(path, text, bitSize, false);
        };
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
        if (!DECIMAL.matcher(text).matches()) {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "nan", "+nan", "-nan" -> Double.NaN;
                case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
                case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
                default ->
                    throw ImportException.value(path, text, "is no number: write one as 9.5, 1e-3, nan, inf or -inf");
            };
        }
        double value = isFloat ? Float.parseFloat(text) : Double.parseDouble(text);
        if (Double.isInfinite(value)) {
            throw ImportException.value(path, text, "is out of range: largest="
                    + (isFloat ? Float.toString(Float.MAX_VALUE) : Double.toString(Double.MAX_VALUE)));
        }
        return value;
    }

    private static long integer(String path, String text, int bitSize, boolean isSigned) throws ImportException {
        long least = isSigned ? -1L << (bitSize - 1) : 0;
        long largest = isSigned ? ~least : -1L >>> (Long.SIZE - bitSize);
        try {
            long value = isSigned ? Long.parseLong(text) : Long.parseUnsignedLong(text);
            if (isSigned ? least <= value && value <= largest : Long.compareUnsigned(value, largest) <= 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            if (!INTEGER.matcher(text).matches()) {
                throw ImportException.value(path, text, "is no integer: write decimal digits");
            }
        }
        throw ImportException.value(path, text,
                "is out of range: least=" + least + ", largest=" + Long.toUnsignedString(largest));
    }

    private static long constant(String path, EnumType type, String text, int bitSize) throws ImportException {
        for (EnumType.Constant constant : type.constants()) {
            if (constant.name().equals(text)) {
                return constant.value();
            }
        }
        if (text.isEmpty() || "+-0123456789".indexOf(text.charAt(0)) < 0) {
            throw ImportException.value(path, text, "is no constant: write the integer, or one of "
                    + ImportException.listed(type.constants().stream().map(EnumType.Constant::name).toList()));
        }
        return integer(path, text, bitSize, !type.isUnsigned());
    }

    private static long reference(String path, RefType type, String text) throws ImportException {
        Matcher target = REFERENCE.matcher(text);
        try {
            if (text.equals("none")) {
                return 0;
            }
            if (target.matches() && target.group(1).equals(type.allocation().orElse(""))) {
                long byteOffset = target.group(2) == null
                        ? Long.parseUnsignedLong(target.group(3), 16)
                        : Math.multiplyExact(Long.parseLong(target.group(2)), type.targetByteSize());
                long stored = byteOffset / type.unit() + 1;
                if (type.byteOffset(stored) == byteOffset
                        && (type.byteSize() == Long.BYTES || stored >>> Integer.SIZE == 0)) {
                    return stored;
                }
            }
        } catch (ArithmeticException | NumberFormatException _) {
            // It is out of range.
        }
        String base = type.allocation().orElse("");
        throw ImportException.value(path, text, "is no reference of " + type.byteSize() + " bytes: write none, " + base
                + "[17] or " + base + "+0x440");
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

    private static void storeText(String path, StringType type, String text, byte[] struct, int at)
            throws ImportException {
        if (type.prefixByteSize() == 0 && type.padding() == StringType.Padding.NUL && text.indexOf('\0') >= 0) {
            throw ImportException.value(path, text, "has a NUL, which would end the text");
        }
        byte[] encoded = text.getBytes(type.charset());
        if (!new String(encoded, type.charset()).equals(text)) {
            throw ImportException.value(path, text, "cannot be encoded in " + type.charset());
        }
        long units = encoded.length / type.unitByteSize();
        long largest = type.prefixByteSize() == 0
                ? type.length()
                : Math.min(type.length(), -1L >>> (Long.SIZE - Byte.SIZE * type.prefixByteSize()));
        if (units > largest) {
            throw ImportException.value(path, text, "is too long: length=" + units + " code units of " + type.charset()
                    + ", largest=" + largest);
        }
        put(struct, at, type.prefixByteSize(), type.prefixOrder(), units, -1);
        int end = at + type.prefixByteSize() + encoded.length;
        System.arraycopy(encoded, 0, struct, end - encoded.length, encoded.length);
        byte[] padding = type.padding() == StringType.Padding.SPACE ? " ".getBytes(type.charset()) : new byte[1];
        for (int i = 0; i < at + type.byteSize() - end; i++) {
            struct[end + i] = padding[i % padding.length];
        }
    }

    /// Stores the bits of an integer that a mask has.
    private static void put(byte[] struct, int at, int byteSize, ByteOrder order, long value, long mask) {
        for (int i = 0; i < byteSize; i++) {
            int to = at + (order == ByteOrder.LITTLE_ENDIAN ? i : byteSize - 1 - i);
            int shift = Byte.SIZE * i;
            struct[to] = (byte) ((struct[to] & ~(mask >>> shift)) | ((value & mask) >>> shift));
        }
    }
}
