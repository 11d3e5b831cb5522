package dev.arenakit.layout;

import dev.arenakit.layout.type.Member;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Finds components and members by name. A component with [Name] has two names, that in C and that in Java, and each of
/// them finds it. If the name of one component in C is that of another in Java, it is the name in C that counts.
final class ComponentNames {
    private ComponentNames() {}

    /// Returns the component of a class by its name.
    ///
    /// @param owner a record, a view, or a sealed interface of records, whose components are the records
    static Optional<ComponentDeclaration> component(Class<?> owner, String name) {
        return find(componentsOf(owner), name);
    }

    /// Returns the component of that name.
    static Optional<ComponentDeclaration> find(Collection<ComponentDeclaration> components, String name) {
        return first(components, ComponentDeclaration::name, name)
                .or(() -> first(components, ComponentDeclaration::javaName, name));
    }

    /// Returns the member for a component. In a struct that was not derived from the class of the component, the member
    /// may have the name in Java.
    static Optional<Member> member(ComponentDeclaration component, List<Member> members) {
        return first(members, Member::name, component.name())
                .or(() -> first(members, Member::name, component.javaName()));
    }

    private static <T> Optional<T> first(Collection<T> named, Function<T, String> nameOf, String name) {
        return named.stream().filter(candidate -> nameOf.apply(candidate).equals(name)).findFirst();
    }

    /// Returns the components of a class.
    ///
    /// @param owner a record, a view, or a sealed interface of records, whose components are the records
    static Collection<ComponentDeclaration> componentsOf(Class<?> owner) {
        if (owner.isSealed() && owner.isInterface()) {
            return UnionRecords.of(owner)
                    .stream()
                    .<ComponentDeclaration>map(
                            record -> new ComponentDeclaration(owner, DiscriminatorValues.memberName(record), record,
                                    Object.class))
                    .toList();
        }
        return ViewDeclaration.isView(owner)
                ? ViewDeclaration.accessors(owner).values().stream().map(ViewAccessor::component).toList()
                : ComponentDeclaration.ofRecord(owner).orElse(List.of());
    }
}
