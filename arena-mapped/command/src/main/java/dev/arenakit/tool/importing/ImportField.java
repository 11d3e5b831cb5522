package dev.arenakit.tool.importing;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.tool.console.PrintableText;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A field of a struct. It takes values as `show --json` and `export --csv` print them.
///
/// @param type neither a struct, a union nor an array
record ImportField(String path, MemoryType type, long byteOffset) {
    /// The values of a boolean.
    private static final StoredInteger BIT = new StoredInteger(1, ByteOrder.nativeOrder(), 0, 1, false);
    /// A reference as [RefType#text] prints it.
    private static final Pattern REFERENCE = Pattern.compile(
            "(.*?)(?:\\[(\\d+)]|\\+0x(\\p{XDigit}+))(?: \\([a-z ]+(?:\\[\\d+])?\\))?");

    /// Parses an index, or a number of structs.
    static long index(String name, String text) throws IOException {
        try {
            return integer(text, new StoredInteger(Long.BYTES, ByteOrder.nativeOrder(), 0, Long.SIZE - 1, false));
        } catch (NumberFormatException e) {
            throw wrong(name, text, "is no number from 0 to " + Long.MAX_VALUE, e);
        }
    }

    /// Whether an empty text consists of spaces. All other empty values are zero.
    boolean hasSpaces() {
        return type instanceof StringType text && text.padding() == StringType.Padding.SPACE;
    }

    /// Stores a value.
    ///
    /// @throws IOException if the field does not have this value; the message names both
    void store(String text, MemorySegment struct) throws IOException {
        try {
            if (type instanceof StringType string) {
                storeText(string, text, struct.asSlice(byteOffset, type.byteSize()));
            } else {
                StoredInteger stored = StoredInteger.ofBits(type);
                stored.set(struct, byteOffset, bits(text, stored));
            }
        } catch (ArithmeticException | NumberFormatException e) {
            throw wrong(path, text, expected(), e);
        }
    }

    private MemoryType declared() {
        return type instanceof BitFieldType bits ? bits.declared() : type;
    }

    private String expected() {
        StoredInteger stored = StoredInteger.ofBits(type);
        String integer = "is no integer from " + stored.min() + " to "
                + (stored.isSigned() ? Long.toString(stored.max()) : Long.toUnsignedString(stored.max()));
        return switch (declared()) {
            case EnumType _ -> integer + ", and no constant of the enum";
            case AddressType _ -> "is no address: write 0x and hexadecimal digits";
            case RefType reference -> "is no reference of " + reference.byteSize() + " bytes: write none, "
                    + reference.allocation().orElse("") + "[17] or " + reference.allocation().orElse("") + "+0x440";
            case ValueType value when value.carrier() == boolean.class -> "is no boolean: write true or false";
            case ValueType value when value.carrier() == char.class -> "is more than one character";
            case ValueType value when value.integer().isEmpty() ->
                "is no number in the range of the field: write one as 9.5, 1e-3, nan, inf or -inf";
            default -> integer;
        };
    }

    private long bits(String text, StoredInteger stored) {
        return switch (declared()) {
            case EnumType constants -> constants.constants()
                    .stream()
                    .filter(constant -> constant.name().equals(text))
                    .findFirst()
                    .map(EnumType.Constant::value)
                    .orElseGet(() -> integer(text, stored));
            case AddressType _ when text.startsWith("0x") -> Long.parseUnsignedLong(text, 2, text.length(), 16);
            case RefType reference -> reference(reference, text);
            case ValueType value -> switch (value.carrier().descriptorString().charAt(0)) {
                case 'Z' -> integer(text.replace("true", "1").replace("false", "0"), BIT);
                case 'C' -> character(text);
                case 'F' -> Float.floatToRawIntBits((float) floating(text, true));
                case 'D' -> Double.doubleToRawLongBits(floating(text, false));
                default -> integer(text, stored);
            };
            default -> integer(text, stored);
        };
    }

    private static char character(String text) {
        if (text.length() > 1) {
            throw new NumberFormatException();
        }
        return text.isEmpty() ? 0 : text.charAt(0);
    }

    private static double floating(String text, boolean isFloat) {
        String number = switch (text.toLowerCase(Locale.ROOT)) {
            case "nan", "+nan", "-nan" -> "NaN";
            case "inf", "+inf", "infinity", "+infinity" -> "Infinity";
            case "-inf", "-infinity" -> "-Infinity";
            default -> text;
        };
        double value = isFloat ? Float.parseFloat(number) : Double.parseDouble(number);
        if (Double.isInfinite(value) && !number.endsWith("Infinity")) {
            throw new NumberFormatException();
        }
        return value;
    }

    private static long integer(String text, StoredInteger stored) {
        long value = stored.isSigned() ? Long.parseLong(text) : Long.parseUnsignedLong(text);
        int unused = Long.SIZE - stored.bitSize();
        if ((stored.isSigned() ? value << unused >> unused : value << unused >>> unused) != value) {
            throw new NumberFormatException();
        }
        return value;
    }

    private static long reference(RefType type, String text) {
        if (text.equals("none")) {
            return 0;
        }
        Matcher target = REFERENCE.matcher(text);
        if (!target.matches() || !target.group(1).equals(type.allocation().orElse(""))) {
            throw new NumberFormatException();
        }
        long stored = type.stored(target.group(2) == null
                ? Long.parseUnsignedLong(target.group(3), 16)
                : Math.multiplyExact(Long.parseLong(target.group(2)), type.targetByteSize()));
        if (stored == 0) {
            throw new NumberFormatException();
        }
        return stored;
    }

    private void storeText(StringType string, String text, MemorySegment to) throws IOException {
        if (string.prefixByteSize() == 0 && string.padding() == StringType.Padding.NUL && text.indexOf('\0') >= 0) {
            throw wrong(path, text, "has a NUL, which would end the text", null);
        }
        byte[] encoded = text.getBytes(string.charset());
        if (!new String(encoded, string.charset()).equals(text)) {
            throw wrong(path, text, "cannot be encoded in " + string.charset(), null);
        }
        long units = encoded.length / string.unitByteSize();
        long largest = Math.min(string.length(), string.prefix().map(StoredInteger::max).orElse(Long.MAX_VALUE));
        if (units > largest) {
            throw wrong(path, text, "is too long: length=" + units + " code units of " + string.charset()
                    + ", largest=" + largest, null);
        }
        to.fill((byte) 0);
        string.prefix().ifPresent(prefix -> prefix.set(to, 0, units));
        MemorySegment array = to.asSlice(string.prefixByteSize());
        array.asSlice(0, encoded.length).copyFrom(MemorySegment.ofArray(encoded));
        for (long i = units; i < string.length() && hasSpaces(); i++) {
            string.unit().set(array, i * string.unitByteSize(), ' ');
        }
    }

    /// Makes the exception for a wrong value.
    ///
    /// @param name    the field or the property
    /// @param problem the text after the value in the message
    static IOException wrong(String name, String value, String problem, @Nullable Exception cause) {
        return new IOException("field " + name + ": '" + PrintableText.shortened(value) + "' " + problem, cause);
    }
}
