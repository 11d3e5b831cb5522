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
/// C places bit fields by rules of its own. Fields that these rules place elsewhere are declared in an anonymous packed
/// struct, which has bit fields without a name for unused bits.
final class CHeaderBits {
    private CHeaderBits() {}

    /// Returns the type that declares a bit field. It has two bytes if the field extends over two bytes and our type
    /// has one, because gcc reports that its versions before 4.4 place such fields elsewhere.
    static MemoryType declared(BitFieldType type) {
        if (type.declared().byteSize() > 1 || type.byteSize() == 1) {
            return type.declared();
        }
        return type.isSigned() ? ValueType.of(short.class) : UnsignedType.of(Short.BYTES);
    }

    /// Returns the end of the fields if C places them where they are after another position.
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

    /// The alignment that C gives to a struct that is not packed because of these fields.
    static long alignment(List<Member> fields) {
        return fields.stream()
                .mapToLong(field -> ((BitFieldType) field.type()).declared().byteSize())
                .max()
                .orElse(1);
    }

    /// Returns an anonymous packed struct of the fields. If they are in both byte orders, it is an array of bytes.
    ///
    /// @param declarations the declarations of the members, by their indices
    /// @param padding      gives the name of the array
    static String packed(BitFieldRun run, IntFunction<String> declarations, CHeaderPadding padding) {
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
