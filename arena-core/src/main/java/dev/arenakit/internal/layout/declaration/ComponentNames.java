package dev.arenakit.internal.layout.declaration;

import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.type.Member;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Finds components and members by name. A component with [Name] has a name in C and a name in Java, and both find it.
/// If two components share a name, one in C and the other in Java, the name in C takes precedence.
public final class ComponentNames {
    private ComponentNames() {}

    /// Returns the component with a name.
    public static Optional<ComponentDeclaration> find(Collection<ComponentDeclaration> components, String name) {
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
    public static Optional<Member> member(ComponentDeclaration component, List<Member> members) {
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
}
