package dev.arenakit.tool;

import dev.arenakit.layout.ArrayType;
import dev.arenakit.layout.EnumType;
import dev.arenakit.layout.Member;
import dev.arenakit.layout.MemoryType;
import dev.arenakit.layout.StructType;
import dev.arenakit.layout.UnionType;
import dev.arenakit.layout.UnionType.Discriminator;
import dev.arenakit.layout.ValueType;
import java.nio.ByteOrder;
import java.util.Optional;

/// What languages that describe bytes want to know of types.
final class TypeParts {
    private TypeParts() {}

    /// The union in a member, or in an array of them.
    static Optional<UnionType> union(MemoryType type) {
        MemoryType inner = type;
        while (inner instanceof ArrayType array) {
            inner = array.element();
        }
        return inner instanceof UnionType union ? Optional.of(union) : Optional.empty();
    }

    /// The member of a struct that tells which member of the union in another one is valid.
    static Optional<Member> discriminator(StructType struct, Member member) {
        return union(member.type()).flatMap(UnionType::discriminator)
                .map(Discriminator::member)
                .flatMap(struct::member);
    }

    /// What a declaration is known by: of an enum all but the order of its bytes and its alignment, which are no part of it.
    static MemoryType key(MemoryType type) {
        return type instanceof EnumType constants
                ? new EnumType(constants.name(), ValueType.of(constants.value().carrier(), ByteOrder.LITTLE_ENDIAN),
                        constants.constants())
                : type;
    }

    /// Whether the bytes are in the order that is not the usual one.
    static boolean isBig(ByteOrder order, long byteSize) {
        return byteSize > 1 && order == ByteOrder.BIG_ENDIAN;
    }
}
