package dev.arenakit.layout;

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
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/// Writes the bytes of a record with a [ByteBuffer]. It is slow, and uses only the types of the code under test.
final class ReferenceCodec {
    private final ByteBuffer bytes;

    private ReferenceCodec(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /// Writes a record over the previous bytes.
    static void write(byte[] bytes, int offset, Object record, StructType type) {
        new ReferenceCodec(ByteBuffer.wrap(bytes)).put(offset, record, type);
    }

    private void put(int offset, Object value, MemoryType type) {
        switch (type) {
            case ValueType primitive -> putPrimitive(offset, value, primitive.order());
            case StringType text -> {
                byte[] encoded = ((String) value).getBytes(text.charset());
                int from = offset + text.prefixByteSize();
                int length = (int) text.byteSize() - text.prefixByteSize();
                byte[] room = text.padding() == StringType.Padding.SPACE
                        ? " ".repeat((int) text.length()).getBytes(text.charset())
                        : new byte[length];
                System.arraycopy(encoded, 0, room, 0, encoded.length);
                putInteger(offset, encoded.length / text.unitByteSize(), text.prefixByteSize(), text.prefixOrder());
                bytes.put(from, room);
            }
            case EnumType asEnum -> {
                putInteger(offset, valueOf(value, asEnum), asEnum.byteSize(), asEnum.order());
            }
            case AddressType address ->
                putInteger(offset, ((MemorySegment) value).address(), Long.BYTES, address.order());
            case RefType reference -> {
                long to = ((Ref<?>) value).byteOffset();
                putInteger(offset, to < 0 ? 0 : to / reference.unit() + 1, reference.byteSize(), reference.order());
            }
            case ArrayType array -> {
                for (int i = 0; i < Array.getLength(value); i++) {
                    put(offset + i * (int) array.element().byteSize(), Array.get(value, i), array.element());
                }
            }
            case StructType struct -> {
                for (int i = 0; i < struct.members().size(); i++) {
                    Member member = struct.members().get(i);
                    put(offset + (int) member.byteOffset(),
                            RandomRecords.get(value.getClass().getRecordComponents()[i], value), member.type());
                }
            }
            case UnionType union -> {
                String ofClass = value.getClass().getSimpleName();
                String name = Character.toLowerCase(ofClass.charAt(0)) + ofClass.substring(1);
                List<Member> members = union.members().stream().filter(member -> member.name().equals(name)).toList();
                put(offset, value, members.getFirst().type());
            }
            case UnsignedType unsigned ->
                putInteger(offset, longOf(value), unsigned.byteSize(), unsigned.order());
            case BitFieldType bits -> {
                long number = bits.declared() instanceof EnumType asEnum ? valueOf(value, asEnum) : longOf(value);
                for (int i = 0; i < bits.bitSize(); i++) {
                    putBit(offset, bits, bits.shift() + i, (number >> i & 1) != 0);
                }
            }
        }
    }

    @SuppressWarnings("EnumOrdinal") // A constant with another name in C is found by its position.
    private static long valueOf(Object constant, EnumType asEnum) {
        String name = ((Enum<?>) constant).name();
        return asEnum.constants()
                .stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElse(asEnum.constants().get(Math.min(asEnum.constants().size() - 1, ((Enum<?>) constant).ordinal())))
                .value();
    }

    private static long longOf(Object value) {
        return switch (value) {
            case Boolean b -> b ? 1 : 0;
            case Character c -> c;
            default -> ((Number) value).longValue();
        };
    }

    /// Writes one bit of the integer that contains a bit field.
    private void putBit(int offset, BitFieldType bits, int bit, boolean value) {
        int at = bit / Byte.SIZE;
        int index = offset + (bits.order() == ByteOrder.BIG_ENDIAN ? (int) bits.byteSize() - 1 - at : at);
        int mask = 1 << bit % Byte.SIZE;
        bytes.put(index, (byte) (value ? bytes.get(index) | mask : bytes.get(index) & ~mask));
    }

    private void putPrimitive(int offset, Object value, ByteOrder order) {
        bytes.order(order);
        switch (value) {
            case Boolean b -> bytes.put(offset, (byte) (b ? 1 : 0));
            case Byte b -> bytes.put(offset, b);
            case Short s -> bytes.putShort(offset, s);
            case Character c -> bytes.putChar(offset, c);
            case Integer i -> bytes.putInt(offset, i);
            case Long l -> bytes.putLong(offset, l);
            case Float f -> bytes.putFloat(offset, f);
            case Double d -> bytes.putDouble(offset, d);
            default -> throw new AssertionError(value);
        }
    }

    private void putInteger(int offset, long value, long byteSize, ByteOrder order) {
        for (int i = 0; i < byteSize; i++) {
            long shift = Byte.SIZE * (order == ByteOrder.BIG_ENDIAN ? byteSize - 1 - i : i);
            bytes.put(offset + i, (byte) (value >> shift));
        }
    }
}
