package dev.arenakit.layout.text;

import dev.arenakit.internal.BitPosition;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// Bit fields that share bytes, or a single one, and their declarations in C.
///
/// C places bit fields by rules of its own. Fields that these rules place elsewhere are declared in an anonymous packed
/// struct, which has bit fields without a name for unused bits.
///
/// @param members the members of a struct or union
/// @param first   the index of the first field
/// @param end     the index after the last field
/// @param limit   the end offset of the fields in bytes
record CHeaderBits(List<Member> members, int first, int end, long limit) {
    /// A position in the bits of the fields, and the index of the field there.
    private record Place(long bit, int index, int bitSize) {}

    /// Returns the fields that share bytes with the field at an index, which is the first of them.
    static CHeaderBits at(List<Member> members, int first) {
        long limit = members.get(first).limit();
        int end = first + 1;
        while (end < members.size() && members.get(end).type() instanceof BitFieldType
                && members.get(end).byteOffset() < limit) {
            limit = Math.max(limit, members.get(end).limit());
            end++;
        }
        return new CHeaderBits(members, first, end, limit);
    }

    /// Returns the type that declares a bit field. It has two bytes if the field extends over two bytes and our type has
    /// one, because gcc reports that its versions before 4.4 place such fields elsewhere.
    static MemoryType declared(BitFieldType type) {
        if (type.declared().byteSize() > 1 || type.byteSize() == 1) {
            return type.declared();
        }
        return type.isSigned() ? ValueType.of(short.class) : UnsignedType.of(Short.BYTES);
    }

    long byteOffset() {
        return members.get(first).byteOffset();
    }

    /// Returns the end of the fields if C places them where they are after another position.
    ///
    /// @param packed whether the struct is packed
    Optional<BitPosition> inPlace(BitPosition before, boolean packed) {
        BitPosition position = before;
        for (int i = first; i < end; i++) {
            BitFieldType type = type(i);
            long byteSize = type.declared().byteSize();
            BitPosition start = position.next(type.bitSize(), byteSize, byteSize, packed, false);
            if (type.order() == ByteOrder.BIG_ENDIAN || start.byteOffset() != members.get(i).byteOffset()
                    || start.bitOffset() != type.bitOffset()) {
                return Optional.empty();
            }
            position = start.plus(type.bitSize());
        }
        return Optional.of(position);
    }

    /// The alignment that C gives to a struct that is not packed because of these fields.
    long alignment() {
        return IntStream.range(first, end).mapToLong(i -> type(i).declared().byteSize()).max().orElse(1);
    }

    /// Returns an anonymous packed struct of the fields. If they are in both byte orders, it is an array of bytes.
    ///
    /// @param declarations the declarations of the members, by their indices, without the number of bits
    /// @param padding      gives the name of the array
    String packed(IntFunction<String> declarations, CHeaderPadding padding) {
        boolean big = IntStream.range(first, end).anyMatch(i -> type(i).order() == ByteOrder.BIG_ENDIAN);
        boolean both = big && IntStream.range(first, end).anyMatch(i -> bit(i, true) < 0);
        if (both) {
            return "    uint8_t " + padding.name() + "[" + (limit - byteOffset()) + "]; /* bit fields */\n";
        }
        List<Place> places = IntStream.range(first, end)
                .mapToObj(i -> new Place(bit(i, big), i, type(i).bitSize()))
                .sorted(Comparator.comparingLong(Place::bit))
                .toList();
        StringBuilder text = new StringBuilder("    struct __attribute__((packed")
                .append(big ? ", scalar_storage_order(\"big-endian\")" : "")
                .append(")) {\n");
        long bit = 0;
        for (Place place : places) {
            unused(text, bit, place.bit());
            text.append("        ").append(declarations.apply(place.index())).append('\n');
            bit = place.bit() + place.bitSize();
        }
        return text.append("    };\n").toString();
    }

    private static void unused(StringBuilder text, long from, long to) {
        for (long bit = from; bit < to;) {
            long next = Math.min(to, bit / Byte.SIZE * Byte.SIZE + Byte.SIZE);
            text.append("        uint8_t : ").append(next - bit).append(";\n");
            bit = next;
        }
    }

    /// The position of a field in the order of the bits, or a negative number if it has none in that order.
    private long bit(int index, boolean big) {
        BitFieldType type = type(index);
        long bits = Byte.SIZE * (members.get(index).byteOffset() - byteOffset());
        if ((type.order() == ByteOrder.BIG_ENDIAN) == big) {
            return bits + type.bitOffset();
        }
        int fromOtherEnd = Byte.SIZE - type.bitOffset() - type.bitSize();
        return fromOtherEnd < 0 ? -1 : bits + fromOtherEnd;
    }

    private BitFieldType type(int index) {
        return (BitFieldType) members.get(index).type();
    }
}
