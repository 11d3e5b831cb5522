package dev.arenakit.dump;

import dev.arenakit.layout.AddressType;
import dev.arenakit.layout.EnumType;
import dev.arenakit.layout.MemoryType;
import dev.arenakit.layout.StringType;
import dev.arenakit.layout.ValueType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

/// Reads single values of a segment, and says them in text.
final class ValueReader {
    private static final String CUT_OFF = "<cut off>";
    /// How many units of a text are shown.
    private static final int UNITS = 256;
    /// How many units are searched for a NUL where not all are shown.
    private static final int SEARCHED = 1 << 16;

    private final MemorySegment segment;

    ValueReader(MemorySegment segment) {
        this.segment = segment;
    }

    String value(ValueType type, long at) {
        if (isCutOff(type, at)) {
            return CUT_OFF;
        }
        long bits = bits(type.byteSize(), type.order(), at);
        return switch (type.carrier().getName()) {
            // Any other byte than 1 is true too, and not what a program writes.
            case "boolean" -> bits == 0 ? "false" : bits == 1 ? "true" : "true (" + (bits & 0xff) + ")";
            case "char" -> Quotes.quote((char) bits);
            case "float" -> Float.toString(Float.intBitsToFloat((int) bits));
            case "double" -> Double.toString(Double.longBitsToDouble(bits));
            default -> Long.toString(bits);
        };
    }

    String constant(EnumType type, long at) {
        if (isCutOff(type, at)) {
            return CUT_OFF;
        }
        long value = bits(type.byteSize(), type.value().order(), at);
        return type.constants()
                .stream()
                .filter(constant -> constant.value() == value)
                .findFirst()
                .map(EnumType.Constant::name)
                .orElseGet(() -> Long.toString(value));
    }

    String address(AddressType type, long at) {
        return isCutOff(type, at) ? CUT_OFF : "0x" + Long.toHexString(bits(type.byteSize(), type.order(), at));
    }

    /// The integer at a place, or empty where the type has none or the segment ends before.
    OptionalLong integer(MemoryType type, long at) {
        if (isCutOff(type, at)) {
            return OptionalLong.empty();
        }
        return switch (type) {
            case EnumType constants -> OptionalLong.of(bits(constants.byteSize(), constants.value().order(), at));
            case ValueType value when value.carrier() == char.class ->
                OptionalLong.of(bits(value.byteSize(), value.order(), at) & 0xffff);
            case ValueType value when value.carrier() != float.class && value.carrier() != double.class ->
                OptionalLong.of(bits(value.byteSize(), value.order(), at));
            default -> OptionalLong.empty();
        };
    }

    /// The text up to its NUL, in quotes.
    String text(StringType type, long at, boolean all) {
        long inside = Math.min(type.length(), Math.max(0, segment.byteSize() - at) / type.unitByteSize());
        int searched = (int) Math.min(inside, all ? Integer.MAX_VALUE / 16 : SEARCHED);
        int length = 0;
        while (length < searched && unit(type, at, length) != 0) {
            length++;
        }
        int shown = all || length <= UNITS ? length : wholeCharacters(type, at);
        byte[] bytes = segment.asSlice(at(at), shown * type.unitByteSize()).toArray(JAVA_BYTE);
        String quoted = Quotes.quote(bytes, type.charset());
        boolean unknown = length == searched && searched < inside;
        String more = shown == length && !unknown
                ? ""
                : "... " + (unknown ? "at least " : "") + (length - shown) + " more";
        return quoted + more + (length == inside && inside < type.length() ? CUT_OFF : "");
    }

    /// As many units as are shown, or up to three less where a character would be divided.
    private int wholeCharacters(StringType type, long at) {
        if (type.unitByteSize() > 1) {
            boolean divided = Character.isSurrogatePair(unit(type, at, UNITS - 1), unit(type, at, UNITS));
            return divided ? UNITS - 1 : UNITS;
        }
        int start = UNITS;
        while (start > UNITS - 3 && (unit(type, at, start) & 0xc0) == 0x80) {
            start--;
        }
        return (unit(type, at, start) & 0xc0) == 0xc0 ? start : UNITS;
    }

    private char unit(StringType type, long at, int index) {
        ByteOrder order = type.charset().equals(StandardCharsets.UTF_16BE)
                ? ByteOrder.BIG_ENDIAN
                : ByteOrder.LITTLE_ENDIAN;
        long unit = bits(type.unitByteSize(), order, at + index * type.unitByteSize());
        return (char) unit;
    }

    private boolean isCutOff(MemoryType type, long at) {
        return at > segment.byteSize() - type.byteSize();
    }

    /// A place in the segment, for a slice of size 0 behind its end.
    private long at(long at) {
        return Math.min(at, segment.byteSize());
    }

    private long bits(long byteSize, ByteOrder order, long at) {
        return switch ((int) byteSize) {
            case 1 -> segment.get(JAVA_BYTE, at);
            case 2 -> segment.get(JAVA_SHORT_UNALIGNED.withOrder(order), at);
            case 4 -> segment.get(JAVA_INT_UNALIGNED.withOrder(order), at);
            default -> segment.get(JAVA_LONG_UNALIGNED.withOrder(order), at);
        };
    }
}
