package dev.arenakit.internal.layout.declaration;

import dev.arenakit.layout.annotation.Align;
import dev.arenakit.layout.annotation.Anonymous;
import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.ByteSize;
import dev.arenakit.layout.annotation.Encoding;
import dev.arenakit.layout.annotation.In;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.TargetByteSize;
import dev.arenakit.layout.annotation.TargetType;
import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.annotation.Unsigned;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Set;

/// Refuses annotations that do not apply to the type of a component.
final class ComponentAnnotationChecks {
    private ComponentAnnotationChecks() {}

    /// @throws IllegalArgumentException if an annotation does not apply
    static void check(ComponentDeclaration component) {
        Class<?> type = component.type();
        Class<?> element = component.innermost().type();
        if (type.isArray() && element.isSealed() && element.isInterface() && element != MemorySegment.class) {
            throw component.refusal("Component is an array of unions, which is not supported",
                    "put the union and its discriminator into a record, and use an array of that record");
        }
        if (component.annotation(Union.class).isPresent() && type == byte[].class) {
            component.checkAbsent(Length.class, "a union has the size of its largest member");
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
            component.checkAbsent(TargetType.class, "it is for components of type MemorySegment");
        }
        if (!component.innermost().isReference()) {
            component.checkAbsent(In.class, "it is for components of type Ref and Ref32");
        }
        if ((!type.isSealed() || !type.isInterface()) && type != byte[].class) {
            component.checkAbsent(Union.class, "it is for components whose type is a sealed interface of records, for"
                    + " byte[], and for the interface of a view");
        }
        if (component.annotation(TargetType.class).isPresent()) {
            component.checkAbsent(TargetByteSize.class, "@TargetType has the size");
        }
        if (type.isPrimitive() || type.isEnum() || type == String.class || type == MemorySegment.class
                || component.isReference()
                || (type.isArray() && type != byte[].class)
                || (type == byte[].class && component.annotation(Union.class).isEmpty())) {
            component.checkAbsent(Anonymous.class, "it is for structs and unions");
        }
        if (!component.innermost().isInteger()) {
            component.checkAbsent(Unsigned.class, "it is for integers");
        }
        if (type == char.class || !(component.isInteger() || type == boolean.class || type.isEnum())) {
            component.checkAbsent(Bits.class, "it is for byte, short, int, long, boolean and enums");
        }
        if (component.annotation(Bits.class).isPresent()) {
            component.checkAbsent(Align.class, "a bit field has no alignment of its own");
        }
    }
}
