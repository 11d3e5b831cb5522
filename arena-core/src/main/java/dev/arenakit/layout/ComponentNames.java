package dev.arenakit.layout;

import dev.arenakit.layout.type.Member;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

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
        Optional<ComponentDeclaration> found = Optional.empty();
        for (ComponentDeclaration component : components) {
            if (component.name().equals(name)) {
                return Optional.of(component);
            }
            if (found.isEmpty() && component.javaName().equals(name)) {
                found = Optional.of(component);
            }
        }
        return found;
    }

    /// Returns the member for a component. In a struct that was not derived from the class of the component, the member
    /// may have the name in Java.
    static Optional<Member> member(ComponentDeclaration component, List<Member> members) {
        Optional<Member> found = Optional.empty();
        for (Member member : members) {
            if (member.name().equals(component.name())) {
                return Optional.of(member);
            }
            if (found.isEmpty() && member.name().equals(component.javaName())) {
                found = Optional.of(member);
            }
        }
        return found;
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
