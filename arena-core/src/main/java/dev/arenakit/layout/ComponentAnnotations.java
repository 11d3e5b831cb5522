package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Set;

/// Refuses annotations that do not apply to the type of a component.
final class ComponentAnnotations {
    private static final Set<Class<?>> INTEGERS = Set.of(byte.class, short.class, char.class, int.class, long.class);

    private ComponentAnnotations() {}

    /// Returns the type of the innermost elements of an array, or the type itself.
    static Class<?> innermost(Class<?> type) {
        return type.isArray() ? innermost(type.getComponentType()) : type;
    }

    /// @throws IllegalArgumentException if an annotation does not apply
    static void check(ComponentDeclaration component) {
        Class<?> type = component.type();
        Class<?> element = innermost(type);
        if (type.isArray() && element.isSealed() && element.isInterface() && element != MemorySegment.class) {
            throw component.refusal("Component is an array of unions, which is not supported",
                    "put the union and its discriminator into a record, and use an array of that record");
        }
        if (!type.isArray() && type != String.class) {
            component.checkAbsent(Length.class, "it is for arrays and text");
        }
        Optional<Length> length = component.annotation(Length.class);
        if (!type.isArray() && length.isPresent() && !length.get().counted().isEmpty()) {
            throw component.refusal("Length of text is not counted by another component",
                    "@Encoding(prefix = 2) puts the length before the text; or remove `counted` from @Length");
        }
        if (element != String.class) {
            component.checkAbsent(Encoding.class, "it is for text");
        }
        if (!element.isEnum()) {
            component.checkAbsent(ByteSize.class, "it is for enums");
        }
        if (element != MemorySegment.class) {
            component.checkAbsent(TargetByteSize.class, "it is for components of type MemorySegment");
        }
        if (!type.isSealed() || !type.isInterface()) {
            component.checkAbsent(Union.class, "it is for components whose type is a sealed interface of records");
        }
        if (!INTEGERS.contains(element)) {
            component.checkAbsent(Unsigned.class, "it is for integers");
        }
        if (type == char.class || !(INTEGERS.contains(type) || type == boolean.class || type.isEnum())) {
            component.checkAbsent(Bits.class, "it is for byte, short, int, long, boolean and enums");
        }
        if (component.annotation(Bits.class).isPresent()) {
            component.checkAbsent(Align.class, "a bit field has no alignment of its own");
        }
    }

    /// Returns whether a component is an integer.
    static boolean isInteger(Class<?> type) {
        return INTEGERS.contains(type);
    }
}
