package dev.arenakit.internal.layout.declaration;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
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

    /// Returns whether the write of a record leaves bytes of members as they are: members that the record lacks, or
    /// elements of a counted array after its last valid element. This includes nested structs.
    public static boolean isPartial(Class<?> record, StructType type) {
        List<ComponentDeclaration> components = ComponentDeclaration.ofRecord(record).orElseThrow();
        return components.size() < type.members().size()
                || components.stream()
                        .anyMatch(component -> isPartial(component, component.type(), member(component, type).type()));
    }

    private static boolean isPartial(ComponentDeclaration component, Class<?> type, MemoryType memory) {
        if (memory instanceof StructType struct) {
            return isPartial(type, struct);
        }
        if (memory instanceof ArrayType array) {
            return array.count().isPresent() || isPartial(component, type.getComponentType(), array.element());
        }
        return memory instanceof UnionType union && type != byte[].class && UnionRecords.of(type)
                .stream()
                .anyMatch(permitted -> isPartial(component, permitted, variant(component, permitted, union).type()));
    }
}
