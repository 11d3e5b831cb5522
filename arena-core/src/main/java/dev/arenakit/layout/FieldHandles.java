package dev.arenakit.layout;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;

/// Creates the VarHandles of fields. Their coordinates are a segment, the offset of the struct, and the index of the
/// element if the field is accessed by element. Their values are those of the operations: an enum is a constant.
final class FieldHandles {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private FieldHandles() {}

    /// Returns whether a kind accesses fields of a type.
    static boolean supports(MemoryType type, FieldKind kind) {
        return switch (type) {
            case ArrayType array -> kind.elements() && array.element() instanceof ValueType element
                    && element.carrier() == kind.carrier();
            case ValueType value -> !kind.elements() && value.carrier() == kind.carrier();
            case EnumType constants -> !kind.elements()
                    && (kind == FieldKind.ENUM || constants.carrier() == kind.carrier());
            case AddressType _ -> kind == FieldKind.ADDRESS;
            default -> false;
        };
    }

    /// @param inJava the type of the values in Java, which for an enum is not that of the kind
    /// @throws IllegalArgumentException if the field has another type
    static VarHandle of(FieldPath place, FieldKind kind, Class<?> inJava) {
        if (!supports(place.type(), kind)) {
            throw kind.wrongType(place);
        }
        VarHandle handle = place.struct()
                .layout()
                .varHandle(kind.elements() ? place.steps(PathElement.sequenceElement()) : place.steps());
        VarHandle converted = switch (place.type()) {
            case EnumType constants when kind == FieldKind.ENUM -> ofEnum(handle, constants, place, inJava);
            case AddressType address when address.target().isPresent() -> ofAddress(handle);
            default -> handle;
        };
        return converted.withInvokeExactBehavior();
    }

    private static VarHandle ofEnum(VarHandle number, EnumType constants, FieldPath place, Class<?> inJava) {
        if (!inJava.isEnum()) {
            throw place.refusal("Not an enum: class=" + inJava.getName(), "give the class of the enum");
        }
        EnumCodec codec = EnumCodec.of(new ComponentDeclaration(inJava, place.path(), inJava, inJava), constants);
        MethodHandle constant = bound(codec, "constant", MethodType.methodType(Object.class, long.class));
        MethodHandle value = bound(codec, "value", MethodType.methodType(long.class, Object.class));
        return MethodHandles.filterValue(number,
                MethodHandles.explicitCastArguments(value, MethodType.methodType(number.varType(), Enum.class)),
                MethodHandles.explicitCastArguments(constant, MethodType.methodType(Enum.class, number.varType())));
    }

    private static VarHandle ofAddress(VarHandle address) {
        try {
            MethodType type = MethodType.methodType(MemorySegment.class, MemorySegment.class);
            return MethodHandles.filterValue(address, MethodHandles.identity(MemorySegment.class),
                    LOOKUP.findStatic(AddressTargets.class, "present", type));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("present", e);
        }
    }

    private static MethodHandle bound(EnumCodec codec, String name, MethodType type) {
        try {
            return LOOKUP.bind(codec, name, type);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name, e);
        }
    }
}
