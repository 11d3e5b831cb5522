package dev.arenakit.sql.internal;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.internal.column.ColumnTypes;
import dev.arenakit.sql.SqlException;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Writes values of a result to structs, the reverse of a scan. The structs are zero before.
public final class ResultStructs {
    private ResultStructs() {}

    /// Writes a value.
    ///
    /// @param value the value, as [ResultVector#value] returns it, or null
    /// @throws SqlException if the type cannot hold the value
    public static void encode(MemoryType type, @Nullable Object value, MemorySegment to) {
        switch (type) {
            case StringType text when value instanceof String string -> encodeText(text, string, to);
            case ArrayType array when value instanceof List<?> list && list.size() <= array.length() -> {
                long byteSize = array.element().byteSize();
                for (int i = 0; i < list.size(); i++) {
                    encode(array.element(), list.get(i), to.asSlice(i * byteSize, byteSize));
                }
            }
            case StructType struct when value instanceof Map<?, ?> map ->
                encodeMembers(struct.members(), map, true, to);
            case UnionType union when value instanceof Map<?, ?> map -> encodeMembers(union.members(), map, false, to);
            case MemoryType scalar when scalar.isScalar() ->
                StoredInteger.ofBits(scalar).set(to, 0, bits(scalar, value));
            default -> throw unsuitable(type, value);
        }
    }

    private static long bits(MemoryType scalar, @Nullable Object value) {
        return switch (scalar) {
            case EnumType constants -> constant(constants, value);
            case BitFieldType bits when bits.declared() instanceof EnumType constants -> constant(constants, value);
            case BitFieldType _ when value instanceof Boolean found -> found ? 1 : 0;
            case ValueType primitive when primitive.carrier() == boolean.class && value instanceof Boolean found ->
                found ? 1 : 0;
            case ValueType primitive when primitive.carrier() == double.class && value instanceof Number number ->
                Double.doubleToRawLongBits(number.doubleValue());
            case ValueType primitive when primitive.carrier() == float.class && value instanceof Number number ->
                Float.floatToRawIntBits(number.floatValue());
            case ValueType primitive when primitive.carrier() == boolean.class -> throw unsuitable(scalar, value);
            default -> integer(scalar, value);
        };
    }

    /// @param nulls whether members that are NULL are encoded, too
    private static void encodeMembers(List<Member> all, Map<?, ?> map, boolean nulls, MemorySegment to) {
        List<Member> members = ColumnTypes.withColumns(all);
        List<String> names = map.keySet().stream().map(String::valueOf).toList();
        int[] indices = ResultColumns.indices(members.stream().map(Member::name).toList(), names);
        for (int i = 0; i < indices.length; i++) {
            Object value = map.get(names.get(indices[i]));
            if (nulls || value != null) {
                encode(members.get(i).type(), value, slice(to, members.get(i)));
            }
        }
    }

    public static MemorySegment slice(MemorySegment struct, Member member) {
        return struct.asSlice(member.byteOffset(), member.type().byteSize());
    }

    private static SqlException unsuitable(MemoryType type, @Nullable Object value) {
        return new SqlException("Value does not suit the member of the struct: value=" + value + ", type=" + type);
    }

    /// @return the lowest bits of the integer
    private static long integer(MemoryType type, @Nullable Object value) {
        StoredInteger stored = StoredInteger.ofBits(type);
        BigInteger integer = switch (value) {
            case Long number -> BigInteger.valueOf(number);
            case BigInteger number -> number;
            case null, default -> throw unsuitable(type, value);
        };
        boolean fits = stored.isSigned()
                ? integer.bitLength() < stored.bitSize()
                : integer.signum() >= 0 && integer.bitLength() <= stored.bitSize();
        if (!fits) {
            throw unsuitable(type, value);
        }
        return integer.longValue();
    }

    private static long constant(EnumType type, @Nullable Object value) {
        for (EnumType.Constant constant : type.constants()) {
            if (constant.name().equals(value)) {
                return constant.value();
            }
        }
        if (type.otherwise().filter(name -> name.equals(value)).isPresent()) {
            // This name stands for all values that are no constants.
            long unused = 0;
            while (isConstant(type, unused)) {
                unused++;
            }
            return unused;
        }
        throw unsuitable(type, value);
    }

    private static boolean isConstant(EnumType type, long value) {
        return type.constants().stream().anyMatch(constant -> constant.value() == value);
    }

    private static void encodeText(StringType type, String text, MemorySegment to) {
        byte[] bytes = text.getBytes(type.charset());
        if (bytes.length > type.length() * type.unitByteSize() || !new String(bytes, type.charset()).equals(text)) {
            throw unsuitable(type, text);
        }
        if (type.prefixByteSize() > 0) {
            StoredInteger.ofBytes(type.prefixByteSize(), type.prefixOrder(), false)
                    .set(to, 0, bytes.length / type.unitByteSize());
        }
        byte[] space = " ".getBytes(type.charset());
        for (long i = bytes.length; type.padding() == StringType.Padding.SPACE && i < to.byteSize(); i++) {
            to.set(JAVA_BYTE, i, space[(int) (i % space.length)]);
        }
        MemorySegment.copy(bytes, 0, to, JAVA_BYTE, type.prefixByteSize(), bytes.length);
    }
}
