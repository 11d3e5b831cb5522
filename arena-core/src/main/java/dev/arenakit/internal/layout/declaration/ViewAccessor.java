package dev.arenakit.internal.layout.declaration;

import java.lang.reflect.Method;
import java.util.List;

/// The methods of a view that access one member.
///
/// @param component the member as a component of the view; an array if it is accessed by index
/// @param indexed   whether the methods take an index
/// @param getters   the methods that read: several if interfaces inherit the method with different return types
/// @param setters   the methods that write, none if the member is read-only
public record ViewAccessor(ComponentDeclaration component, boolean indexed, List<Method> getters,
        List<Method> setters) {
    /// Returns the value that a call accesses: the member, or an element of the array.
    public ComponentDeclaration value() {
        return indexed ? component.element() : component;
    }
}
