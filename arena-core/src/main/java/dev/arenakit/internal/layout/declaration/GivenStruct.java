package dev.arenakit.internal.layout.declaration;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.util.List;
import java.util.Optional;

/// Finds the components of a record in a struct that is given. The struct may have further members.
///
/// The struct determines offsets, alignment, padding and byte order. Everything else must match the declaration of the
/// record.
public final class GivenStruct {
    private GivenStruct() {}

    /// Returns the member for a component.
    ///
    /// @throws IllegalArgumentException if there is none
    public static Member member(ComponentDeclaration component, StructType type) {
        Optional<Member> member = ComponentNames.member(component, type.members());
        if (member.isEmpty()) {
            throw component.refusal("Struct has no member for a component", "the struct " + type.name() + " has "
                    + names(type.members()));
        }
        return member.get();
    }

    /// Returns the member of a union for a record.
    ///
    /// @throws IllegalArgumentException if there is none
    public static Member variant(ComponentDeclaration component, Class<?> permitted, UnionType type) {
        String name = UnionRecords.memberName(permitted);
        return type.members()
                .stream()
                .filter(member -> member.name().equals(name))
                .findFirst()
                .orElseThrow(() -> component.refusal("Union has no member for a record", "record=" + permitted.getName()
                        + ", member=" + name + "; the union " + type.name() + " has " + names(type.members())));
    }

    private static List<String> names(List<Member> members) {
        return members.stream().map(Member::name).toList();
    }

    /// Checks that a struct has a member of the same type for each component, including nested ones.
    ///
    /// @param declared the struct that the record declares
    /// @throws IllegalArgumentException if not; the message contains both types
    public static void check(Class<?> record, StructType declared, StructType given) {
        List<ComponentDeclaration> components = ComponentDeclaration.ofRecord(record).orElseThrow();
        for (int i = 0; i < components.size(); i++) {
            ComponentDeclaration component = components.get(i);
            check(component, component.type(), declared.members().get(i).type(), member(component, given).type());
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
                    check(component, permitted, variant(component, permitted, union).type(),
                            variant(component, permitted, other).type());
                }
                yield true;
            }
            case ValueType value when value.carrier() == char.class && given instanceof UnsignedType other ->
                other.byteSize() == Character.BYTES;
            case StructType _,ArrayType _,UnionType _ -> false;
            default -> TypeCompatibility.same(declared, given);
        };
        if (!fits) {
            throw component.refusal("Struct has a member of another type", "the record declares " + declared
                    + ", the struct has " + given);
        }
    }

    /// Returns whether the write of a record leaves bytes of members as they are: members that the record lacks, or
    /// elements of a counted array after its last valid element. This includes nested structs.
    public static boolean isPartial(Class<?> record, StructType type) {
        List<ComponentDeclaration> components = ComponentDeclaration.ofRecord(record).orElseThrow();
        return components.size() < type.members().size()
                || components.stream()
                        .anyMatch(component -> isPartial(component, component.type(), member(component, type).type()));
    }

    private static boolean isPartial(ComponentDeclaration component, Class<?> type, MemoryType memory) {
        return switch (memory) {
            case StructType struct -> isPartial(type, struct);
            case ArrayType array -> array.count().isPresent()
                    || isPartial(component, type.getComponentType(), array.element());
            case UnionType _ when type == byte[].class -> false;
            case UnionType union -> UnionRecords.of(type)
                    .stream()
                    .anyMatch(
                            permitted -> isPartial(component, permitted, variant(component, permitted, union).type()));
            default -> false;
        };
    }
}
