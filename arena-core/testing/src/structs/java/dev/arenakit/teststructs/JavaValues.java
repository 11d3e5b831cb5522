package dev.arenakit.teststructs;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Computes the values that structs must have in the rows of a table.
public final class JavaValues {
    private JavaValues() {}

    /// The values of the columns, without the index of the struct.
    public static List<@Nullable Object> columns(StructType type, MemorySegment struct) {
        return new ArrayList<>(members(type.members(), struct, type, struct).values());
    }

    private static Map<String, @Nullable Object> members(List<Member> members, MemorySegment at, StructType struct,
            MemorySegment structAt) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (Member member : members) {
            values.put(member.name(), value(member.type(),
                    at.asSlice(member.byteOffset(), member.type().byteSize()), struct, structAt));
        }
        return values;
    }

    private static Object value(MemoryType type, MemorySegment at, StructType struct, MemorySegment structAt) {
        return switch (type) {
            case ValueType value -> switch (value.carrier().getName()) {
                case "boolean" -> at.get(JAVA_BYTE, 0) != 0;
                case "char" -> integer(at, value.order(), false).longValue();
                case "float" -> Float.intBitsToFloat(integer(at, value.order(), true).intValue());
                case "double" -> Double.longBitsToDouble(integer(at, value.order(), true).longValue());
                default -> integer(at, value.order(), true).longValue();
            };
            case UnsignedType unsigned -> narrow(integer(at, unsigned.order(), false));
            case AddressType address -> narrow(integer(at, address.order(), false));
            case RefType reference -> narrow(integer(at, reference.order(), false));
            case BitFieldType bits -> bits(bits, at);
            case EnumType constants -> constant(constants, at);
            case StringType text -> text(text, at);
            case ArrayType array -> array(array, at, struct, structAt);
            case StructType nested -> members(nested.members(), at, nested, at);
            case UnionType union -> union(union, at, struct, structAt);
        };
    }

    private static BigInteger integer(MemorySegment at, ByteOrder order, boolean signed) {
        byte[] bytes = at.toArray(JAVA_BYTE);
        if (order == ByteOrder.LITTLE_ENDIAN) {
            for (int i = 0; i < bytes.length / 2; i++) {
                byte swapped = bytes[i];
                bytes[i] = bytes[bytes.length - 1 - i];
                bytes[bytes.length - 1 - i] = swapped;
            }
        }
        return signed ? new BigInteger(bytes) : new BigInteger(1, bytes);
    }

    private static Object narrow(BigInteger value) {
        return value.bitLength() < Long.SIZE ? value.longValue() : value;
    }

    private static Object bits(BitFieldType type, MemorySegment at) {
        BigInteger one = integer(at, type.order(), false).shiftRight(type.shift())
                .mod(BigInteger.TWO.pow(type.bitSize()));
        return one.testBit(type.bitSize() - 1) && type.isSigned()
                ? one.subtract(BigInteger.TWO.pow(type.bitSize())).longValue()
                : narrow(one);
    }

    private static Object constant(EnumType type, MemorySegment at) {
        long value = integer(at, type.order(), !type.isUnsigned()).longValue();
        return type.constants()
                .stream()
                .filter(constant -> constant.value() == value)
                .map(EnumType.Constant::name)
                .findFirst()
                .orElseGet(() -> type.otherwise().orElseThrow());
    }

    private static String text(StringType type, MemorySegment at) {
        byte[] bytes = at.asSlice(type.prefixByteSize()).toArray(JAVA_BYTE);
        String text = new String(bytes, type.charset());
        if (type.prefixByteSize() > 0) {
            return new String(bytes, 0, (int) ((at.get(JAVA_BYTE, 0) & 0xff) * type.unitByteSize()), type.charset());
        }
        if (type.padding() == StringType.Padding.SPACE) {
            return text.stripTrailing();
        }
        return text.indexOf('\0') < 0 ? text : text.substring(0, text.indexOf('\0'));
    }

    private static Object array(ArrayType type, MemorySegment at, StructType struct, MemorySegment structAt) {
        long length = type.length();
        if (type.count().isPresent()) {
            Member count = struct.member(type.count().get()).orElseThrow();
            length = Math.min(length, structAt.get(JAVA_BYTE, count.byteOffset()) & 0xff);
        }
        List<Object> elements = new ArrayList<>();
        long byteSize = type.element().byteSize();
        for (long i = 0; i < length; i++) {
            elements.add(value(type.element(), at.asSlice(i * byteSize, byteSize), struct, structAt));
        }
        return elements;
    }

    private static Object union(UnionType type, MemorySegment at, StructType struct, MemorySegment structAt) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        Optional<Integer> valid = type.discriminator()
                .map(found -> found.validMember(structAt.get(JAVA_BYTE,
                        struct.member(found.member()).orElseThrow().byteOffset())));
        for (int i = 0; i < type.members().size(); i++) {
            Member member = type.members().get(i);
            values.put(member.name(), valid.isPresent() && valid.get() != i
                    ? null
                    : value(member.type(), at.asSlice(0, member.type().byteSize()), struct, structAt));
        }
        return values;
    }
}
