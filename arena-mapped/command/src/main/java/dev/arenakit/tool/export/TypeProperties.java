package dev.arenakit.tool.export;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnionType.Discriminator;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Properties of types that the exported declarations depend on.
final class TypeProperties {
    private TypeProperties() {}

    /// Returns the type itself if it is a union, or the elements of an array if they are unions.
    static Optional<UnionType> union(MemoryType type) {
        MemoryType inner = type;
        while (inner instanceof ArrayType array) {
            inner = array.element();
        }
        return inner instanceof UnionType union ? Optional.of(union) : Optional.empty();
    }

    /// The path of the discriminator of the union in a member of a struct.
    static Optional<String> discriminator(StructType struct, Member member) {
        return union(member.type()).flatMap(UnionType::discriminator)
                .map(Discriminator::member)
                .filter(path -> struct.nested(path).isPresent());
    }

    /// Whether the values of a bit field have names that ImHex can show. It reads the bits as unsigned.
    static boolean isNamed(BitFieldType bits) {
        return bits.declared() instanceof EnumType constants && !constants.constants().isEmpty()
                && constants.constants().stream().allMatch(constant -> constant.value() >= 0);
    }

    /// Returns an array without the counts of its valid elements, nested arrays included.
    static MemoryType uncounted(MemoryType type) {
        return type instanceof ArrayType array
                ? new ArrayType(uncounted(array.element()), array.length(), array.byteAlignment())
                : type;
    }

    /// Whether a struct has an integer or an enum at a path. Types do not check this for the references of a union's
    /// members.
    static boolean hasInteger(StructType struct, String path) {
        return struct.nested(path)
                .map(Member::type)
                .filter(type -> !(type instanceof ValueType value && value.carrier() == boolean.class))
                .flatMap(MemoryType::integer)
                .isPresent();
    }

    /// The paths of the counts of arrays that a type refers to, including arrays in arrays and in unions.
    static List<String> counts(MemoryType type) {
        List<MemoryType> inner = type instanceof ArrayType || type instanceof UnionType ? type.innerTypes() : List.of();
        return Stream.concat(count(type).stream(), inner.stream().flatMap(part -> counts(part).stream()))
                .distinct()
                .toList();
    }

    /// The path of the count of the elements of an array.
    static Optional<String> count(MemoryType type) {
        return type instanceof ArrayType array ? array.count() : Optional.empty();
    }

    /// Returns an expression for the number of valid elements of an array: the count, or the length of the array if the
    /// count is out of range.
    static String validLength(String count, long length) {
        return "(" + count + " < 0 || " + count + " > " + length + " ? " + length + " : " + count + ")";
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
