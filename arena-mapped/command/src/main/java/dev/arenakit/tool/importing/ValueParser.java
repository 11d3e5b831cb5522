package dev.arenakit.tool.importing;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Parses values as `show --json` and `export --csv` print them, and stores them in the bytes of a struct.
final class ValueParser {
    private static final StoredInteger INDEX = new StoredInteger(Long.BYTES, ByteOrder.LITTLE_ENDIAN, 0, Long.SIZE - 1,
            false);
    private static final Pattern INTEGER = Pattern.compile("[+-]?\\d++");
    /// A number in JSON, or a number without digits before or after the point, as other programs print it.
    private static final Pattern DECIMAL = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

    /// A reference as [RefType#text] prints it.
    private static final Pattern REFERENCE = Pattern.compile(
            "(.*?)(?:\\[(\\d+)]|\\+0x(\\p{XDigit}+))(?: \\([a-z ]+(?:\\[\\d+])?\\))?");

    private ValueParser() {}

    /// Parses an index, or a number of structs.
    static long index(String field, String text) throws ImportException {
        return integer(field, text, INDEX);
    }

    /// Stores a value.
    ///
    /// @param path for the message of an error
    /// @param type neither a struct, a union nor an array
    /// @param at   the offset of the value
    static void store(String path, MemoryType type, String text, MemorySegment struct, long at)
            throws ImportException {
        if (type instanceof StringType string) {
            storeText(path, string, text, struct.asSlice(at, type.byteSize()));
        } else {
            StoredInteger stored = StoredInteger.ofBits(type);
            MemoryType declared = type instanceof BitFieldType bits ? bits.declared() : type;
            stored.set(struct, at, number(path, declared, text, stored));
        }
    }

    private static long number(String path, MemoryType type, String text, StoredInteger stored)
            throws ImportException {
        return switch (type) {
            case EnumType constants -> constant(path, constants, text, stored);
            case AddressType _ -> address(path, text);
            case RefType reference -> reference(path, reference, text);
            case ValueType value -> switch (value.carrier().descriptorString().charAt(0)) {
                case 'Z' -> bool(path, text);
                case 'C' -> character(path, text);
                case 'F' -> Float.floatToRawIntBits((float) floating(path, text, true));
                case 'D' -> Double.doubleToRawLongBits(floating(path, text, false));
                default -> integer(path, text, stored);
            };
            default -> integer(path, text, stored);
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

    private static long integer(String path, String text, StoredInteger stored) throws ImportException {
        try {
            long value = stored.isSigned() ? Long.parseLong(text) : Long.parseUnsignedLong(text);
            if (stored.isSigned()
                    ? stored.min() <= value && value <= stored.max()
                    : Long.compareUnsigned(value, stored.max()) <= 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            if (!INTEGER.matcher(text).matches()) {
                throw ImportException.value(path, text, "is no integer: write decimal digits");
            }
        }
        throw ImportException.value(path, text, "is out of range: least=" + stored.min() + ", largest="
                + (stored.isSigned() ? Long.toString(stored.max()) : Long.toUnsignedString(stored.max())));
    }

    private static long constant(String path, EnumType type, String text, StoredInteger stored)
            throws ImportException {
        for (EnumType.Constant constant : type.constants()) {
            if (constant.name().equals(text)) {
                return constant.value();
            }
        }
        if (text.isEmpty() || "+-0123456789".indexOf(text.charAt(0)) < 0) {
            throw ImportException.value(path, text, "is no constant: write the integer, or one of "
                    + ImportException.listed(type.constants().stream().map(EnumType.Constant::name).toList()));
        }
        return integer(path, text, stored);
    }

    private static long reference(String path, RefType type, String text) throws ImportException {
        if (text.equals("none")) {
            return 0;
        }
        String base = type.allocation().orElse("");
        Matcher target = REFERENCE.matcher(text);
        long stored = 0;
        try {
            if (target.matches() && target.group(1).equals(base)) {
                stored = type.stored(target.group(2) == null
                        ? Long.parseUnsignedLong(target.group(3), 16)
                        : Math.multiplyExact(Long.parseLong(target.group(2)), type.targetByteSize()));
            }
        } catch (ArithmeticException | NumberFormatException _) {
            // It is out of range.
        }
        if (stored != 0) {
            return stored;
        }
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

    private static void storeText(String path, StringType type, String text, MemorySegment to)
            throws ImportException {
        if (type.prefixByteSize() == 0 && type.padding() == StringType.Padding.NUL && text.indexOf('\0') >= 0) {
            throw ImportException.value(path, text, "has a NUL, which would end the text");
        }
        byte[] encoded = text.getBytes(type.charset());
        if (!new String(encoded, type.charset()).equals(text)) {
            throw ImportException.value(path, text, "cannot be encoded in " + type.charset());
        }
        long units = encoded.length / type.unitByteSize();
        long largest = Math.min(type.length(), type.prefix().map(StoredInteger::max).orElse(Long.MAX_VALUE));
        if (units > largest) {
            throw ImportException.value(path, text, "is too long: length=" + units + " code units of " + type.charset()
                    + ", largest=" + largest);
        }
        to.fill((byte) 0);
        type.prefix().ifPresent(prefix -> prefix.set(to, 0, units));
        MemorySegment array = to.asSlice(type.prefixByteSize());
        MemorySegment.copy(encoded, 0, array, ValueLayout.JAVA_BYTE, 0, encoded.length);
        for (long i = units; i < type.length() && type.padding() == StringType.Padding.SPACE; i++) {
            type.unit().set(array, i * type.unitByteSize(), ' ');
        }
    }
}
