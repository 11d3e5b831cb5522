package dev.arenakit.internal.layout.declaration;

import dev.arenakit.layout.annotation.TargetByteSize;
import dev.arenakit.layout.annotation.TargetType;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The targets of addresses as a record or view declares them with [TargetByteSize] or [TargetType].
///
/// A struct that is given has targets too, but they are not used: the text of a struct must not decide how much memory
/// is accessible.
public final class DeclaredTargets {
    private DeclaredTargets() {}

    /// Returns a struct whose addresses have the targets that a class declares, and no others.
    ///
    /// @param inJava a record or a view
    public static StructType of(StructType type, Class<?> inJava) {
        return hasAddress(type) ? struct(type, Optional.of(inJava)) : type;
    }

    private static boolean hasAddress(MemoryType type) {
        return type instanceof AddressType || type.innerTypes().stream().anyMatch(DeclaredTargets::hasAddress);
    }

    private static StructType struct(StructType type, Optional<Class<?>> inJava) {
        return new StructType(type.name(), members(type.members(), inJava), type.byteSize(), type.byteAlignment());
    }

    private static List<Member> members(List<Member> members, Optional<Class<?>> inJava) {
        Map<String, ComponentDeclaration> components = new HashMap<>();
        inJava.ifPresent(owner -> ViewDeclaration.allOf(owner)
                .forEach(component -> ComponentNames.member(component, members)
                        .ifPresent(member -> components.putIfAbsent(member.name(), component))));
        return members.stream()
                .map(member -> new Member(member.name(), member.byteOffset(),
                        declared(member.type(), Optional.ofNullable(components.get(member.name())))))
                .toList();
    }

    private static MemoryType declared(MemoryType type, Optional<ComponentDeclaration> component) {
        return switch (type) {
            case AddressType address -> new AddressType(component.flatMap(declared -> target(declared, address)),
                    address.order(), address.byteAlignment());
            case ArrayType array -> new ArrayType(declared(array.element(), component), array.length(),
                    array.byteAlignment(), array.count());
            case StructType struct -> struct(struct, innermost(component));
            case UnionType union -> new UnionType(union.name(), members(union.members(), innermost(component)),
                    union.byteSize(), union.byteAlignment(), union.discriminator());
            default -> type;
        };
    }

    private static Optional<Class<?>> innermost(Optional<ComponentDeclaration> component) {
        return component.map(declared -> declared.innermost().structure());
    }

    private static Optional<MemoryType> target(ComponentDeclaration component, AddressType given) {
        if (component.innermost().type() != MemorySegment.class) {
            return Optional.empty();
        }
        return StructTypeReader.address(component, given.order()).target();
    }
}
