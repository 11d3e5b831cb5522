package dev.arenakit.layout;

import java.lang.reflect.Method;
import java.util.List;

/// The methods of a view that read and write one member.
///
/// @param part    the member as a component of the view; an array where it is read by index
/// @param indexed whether the methods take an index
/// @param getters the method that reads, more than once where interfaces inherit it with other return types
/// @param setters the methods that write, none where the member is read only
record Accessor(Part part, boolean indexed, List<Method> getters, List<Method> setters) {
    /// What a call reads or writes: the member, or the element of an array.
    Part value() {
        return indexed ? part.element() : part;
    }
}
