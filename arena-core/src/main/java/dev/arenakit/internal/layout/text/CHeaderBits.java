package dev.arenakit.internal.layout.text;

import dev.arenakit.internal.BitPosition;
import dev.arenakit.layout.type.BitFieldRun;
import dev.arenakit.layout.type.BitFieldRun.Part;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/// The declarations of bit fields in C.
///
/// C has its own rules for the positions of bit fields. Fields that these rules would place elsewhere are declared in
/// an anonymous packed struct, in which bit fields without a name represent unused bits.
final class CHeaderBits {
    private CHeaderBits() {}

    /// Returns the type that declares a bit field. If the field extends over two bytes and the declared type has one
    /// byte, a type of two bytes declares it, because gcc warns that its versions before 4.4 place such fields
    /// elsewhere.
    static MemoryType declared(BitFieldType type) {
        if (type.declared().byteSize() > 1 || type.byteSize() == 1) {
            return type.declared();
        }
        return type.isSigned() ? ValueType.of(short.class) : UnsignedType.of(Short.BYTES);
    }

    /// Returns the end of the fields if C places them, after another position, at their offsets; otherwise empty.
    ///
    /// @param packed whether the struct is packed
    static Optional<BitPosition> inPlace(BitFieldRun run, BitPosition before, boolean packed) {
        BitPosition position = before;
        for (Member field : run.fields()) {
            BitFieldType type = (BitFieldType) field.type();
            long byteSize = type.declared().byteSize();
            BitPosition start = position.next(type.bitSize(), byteSize, byteSize, packed, false);
            if (type.order() == ByteOrder.BIG_ENDIAN || start.byteOffset() != field.byteOffset()
                    || start.bitOffset() != type.bitOffset()) {
                return Optional.empty();
            }
            position = start.plus(type.bitSize());
        }
        return Optional.of(position);
    }

    /// The alignment that C derives from these fields for a struct that is not packed.
    static long alignment(List<Member> fields) {
        return fields.stream()
                .mapToLong(field -> ((BitFieldType) field.type()).declared().byteSize())
                .max()
                .orElse(1);
    }

    /// Returns an anonymous packed struct of the fields, or an array of bytes if the fields have both byte orders.
    ///
    /// @param declarations the declarations of the members, by their indices
    /// @param padding      chooses the name of the array
    static String packed(BitFieldRun run, IntFunction<String> declarations, CHeaderNames.Padding padding) {
        Optional<ByteOrder> order = run.order();
        if (order.isEmpty()) {
            return "    uint8_t " + padding.name() + "[" + run.byteSize() + "]; /* bit fields */\n";
        }
        StringBuilder text = new StringBuilder("    struct __attribute__((packed")
                .append(order.get() == ByteOrder.BIG_ENDIAN ? ", scalar_storage_order(\"big-endian\")" : "")
                .append(")) {\n");
        for (Part part : run.parts(order.get())) {
            text.append("        ")
                    .append(part.index() < 0 ? "uint8_t : " + part.bitSize() + ";" : declarations.apply(part.index()))
                    .append('\n');
        }
        return text.append("    };\n").toString();
    }
}
