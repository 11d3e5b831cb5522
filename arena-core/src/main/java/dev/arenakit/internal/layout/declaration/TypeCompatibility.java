package dev.arenakit.internal.layout.declaration;

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
import java.util.List;
import java.util.stream.IntStream;

/// Compares types by what a class of the user must match: the names and kinds of members. Offsets, alignment and byte
/// order are ignored.
public final class TypeCompatibility {
    private TypeCompatibility() {}

    /// Checks that a struct has a member of the same type for each component, including nested ones.
    ///
    /// @param declared the struct that the record declares
    /// @throws IllegalArgumentException if not; the message contains both types
    public static void check(Class<?> record, StructType declared, StructType given) {
        List<ComponentDeclaration> components = ComponentDeclaration.ofRecord(record).orElseThrow();
        for (int i = 0; i < components.size(); i++) {
            ComponentDeclaration component = components.get(i);
            check(component, component.type(), declared.members().get(i).type(),
                    GivenStruct.member(component, given).type());
        }
    }

    private static void check(ComponentDeclaration component, Class<?> type, MemoryType declared, MemoryType given) {
        boolean fits = switch (declared) {
            case StructType struct when given instanceof StructType other -> {
                check(type, struct, other);
                yield true;
            }
            case ArrayType array when given instanceof ArrayType other && array.length() == other.length()
                    && array.count().equals(other.count()) -> {
                check(component, type.getComponentType(), array.element(), other.element());
                yield true;
            }
            case UnionType _,ArrayType _ when type == byte[].class && given instanceof UnionType ->
                declared.byteSize() == given.byteSize();
            case UnionType union when given instanceof UnionType other
                    && union.discriminator().equals(other.discriminator()) -> {
                for (Class<?> permitted : UnionRecords.of(type)) {
                    check(component, permitted, GivenStruct.variant(component, permitted, union).type(),
                            GivenStruct.variant(component, permitted, other).type());
                }
                yield true;
            }
            case ValueType value when value.carrier() == char.class && given instanceof UnsignedType other ->
                other.byteSize() == Character.BYTES;
            case StructType _,ArrayType _,UnionType _ -> false;
            default -> same(declared, given);
        };
        if (!fits) {
            throw component.refusal("Struct has a member of another type", "the record declares " + declared
                    + ", the struct has " + given);
        }
    }

    public static boolean same(MemoryType one, MemoryType other) {
        return switch (one) {
            case ValueType value -> other instanceof ValueType second && value.carrier() == second.carrier();
            case EnumType constants -> other instanceof EnumType second
                    && constants.constants().equals(second.constants())
                    && constants.carrier() == second.carrier();
            case UnsignedType unsigned -> other instanceof UnsignedType second
                    && unsigned.byteSize() == second.byteSize();
            case BitFieldType bits -> other instanceof BitFieldType second && bits.bitSize() == second.bitSize()
                    && same(bits.declared(), second.declared());
            case StringType text -> other instanceof StringType second && text.length() == second.length()
                    && text.prefixByteSize() == second.prefixByteSize() && text.padding() == second.padding()
                    && sameCharset(text, second);
            case RefType reference -> other instanceof RefType second && reference.byteSize() == second.byteSize();
            case AddressType _ -> other instanceof AddressType;
            case ArrayType array -> other instanceof ArrayType second && array.length() == second.length()
                    && same(array.element(), second.element());
            case StructType struct -> other instanceof StructType second && same(struct.members(), second.members());
            case UnionType union -> other instanceof UnionType second && same(union.members(), second.members())
                    && union.discriminator().equals(second.discriminator());
        };
    }

    /// UTF-16 and UTF-32 may differ in byte order.
    private static boolean sameCharset(StringType one, StringType other) {
        return one.charset().equals(other.charset())
                || (one.unitByteSize() > 1 && one.unitByteSize() == other.unitByteSize());
    }

    private static boolean same(List<Member> some, List<Member> others) {
        return some.size() == others.size() && IntStream.range(0, some.size())
                .allMatch(i -> some.get(i).name().equals(others.get(i).name())
                        && same(some.get(i).type(), others.get(i).type()));
    }
}
