package dev.arenakit.tool.export;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnionType.Discriminator;
import java.nio.ByteOrder;
import java.util.Optional;

/// Properties of types that the exported declarations depend on.
final class TypeProperties {
    private TypeProperties() {}

    /// The union that a type is, or that the elements of an array are.
    static Optional<UnionType> union(MemoryType type) {
        MemoryType inner = type;
        while (inner instanceof ArrayType array) {
            inner = array.element();
        }
        return inner instanceof UnionType union ? Optional.of(union) : Optional.empty();
    }

    /// The discriminator of the union in a member of a struct.
    static Optional<Member> discriminator(StructType struct, Member member) {
        return union(member.type()).flatMap(UnionType::discriminator)
                .map(Discriminator::member)
                .flatMap(struct::nested);
    }

    /// The key of the declaration of a type. Byte order and alignment do not belong to the declaration of an enum.
    static MemoryType key(MemoryType type) {
        return type instanceof EnumType constants
                ? constants.withOrder(ByteOrder.LITTLE_ENDIAN).withByteAlignment(constants.byteSize())
                : type;
    }

    /// Whether a number is big-endian.
    static boolean isBig(ByteOrder order, long byteSize) {
        return byteSize > 1 && order == ByteOrder.BIG_ENDIAN;
    }
}
