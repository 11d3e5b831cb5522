package dev.arenakit.internal.layout.field;

import dev.arenakit.internal.layout.declaration.ComponentDeclaration;
import dev.arenakit.internal.layout.value.AddressTargets;
import dev.arenakit.internal.layout.value.EnumCodec;
import dev.arenakit.internal.layout.value.IntegerConversion;
import dev.arenakit.internal.layout.value.PackedField;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.invoke.VarHandle.AccessMode;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The VarHandles or MethodHandles that access a field. Their coordinates are a segment, the offset of the struct, and
/// the index of the element if the field is accessed by element. They read and write the values of the operations: for
/// an enum, its constants.
final class FieldHandles {
    private FieldHandles() {}

    /// Returns whether a kind accesses a field, with the values that the record or view has.
    static boolean supports(FieldPath place, FieldKind kind) {
        return place.type() instanceof ArrayType array
                ? kind.elements() && supports(array.element(), place.inJava().map(Class::getComponentType), kind)
                : !kind.elements() && supports(place.type(), place.inJava(), kind);
    }

    private static boolean supports(MemoryType type, Optional<Class<?>> declared, FieldKind kind) {
        if (kind == FieldKind.ADDRESS) {
            return type instanceof AddressType;
        }
        if (kind == FieldKind.ENUM) {
            return IntegerConversion.constants(type).isPresent();
        }
        if (type instanceof RefType reference) {
            return reference.layout().carrier() == kind.carrier();
        }
        return IntegerConversion.supports(type, kind.carrier())
                && (declared.equals(Optional.of(kind.carrier()))
                        || !IntegerConversion.isBitPattern(type, kind.carrier()));
    }

    /// Returns the VarHandle or MethodHandle of each access mode that the field supports.
    ///
    /// @param inJava the type of the values in Java: an enum class instead of the carrier of [FieldKind#ENUM]
    /// @throws IllegalArgumentException if the field has another type
    static Map<AccessMode, Object> of(FieldPath place, FieldKind kind, Class<?> inJava) {
        if (!supports(place, kind)) {
            throw wrongType(place, kind);
        }
        MemoryType type = place.type() instanceof ArrayType array ? array.element() : place.type();
        if (!(type.layout() instanceof ValueLayout)) {
            return ofBytes(packed(place, type), conversion(place, kind, type, inJava));
        }
        VarHandle handle = place.struct()
                .layout()
                .varHandle(kind.elements() ? place.steps(PathElement.sequenceElement()) : place.steps());
        if (handle.varType() == kind.carrier()) {
            return ofVarHandle(AddressTargets.present(handle, type), handle);
        }
        IntegerConversion conversion = conversion(place, kind, type, inJava);
        return ofVarHandle(conversion.adapt(handle), conversion.adaptOperands(handle));
    }

    /// The exception for a field of another type, which names the method that takes it.
    private static IllegalArgumentException wrongType(FieldPath place, FieldKind kind) {
        String methods = Stream.of(FieldKind.values())
                .filter(other -> supports(place, other))
                .map(FieldKind::method)
                .collect(Collectors.joining(" or "));
        return place.refusal(
                "Field is of another type: expected=" + kind.carrier().getName() + (kind.elements() ? "[]" : ""),
                methods.isEmpty() ? "take one of its parts, or read it with a record or a view" : "use " + methods);
    }

    private static IntegerConversion conversion(FieldPath place, FieldKind kind, MemoryType type, Class<?> inJava) {
        String where = "layout=" + place.struct().name() + ", path=" + place.path();
        Optional<EnumType> constants = IntegerConversion.constants(type);
        if (kind != FieldKind.ENUM || constants.isEmpty()) {
            return IntegerConversion.of(type, kind.carrier(), where);
        }
        if (!inJava.isEnum()) {
            throw place.refusal("Not an enum: class=" + inJava.getName(), "give the class of the enum");
        }
        ComponentDeclaration component = new ComponentDeclaration(inJava, place.path(), inJava, inJava);
        return IntegerConversion.of(type, EnumCodec.of(component, constants.get())).as(Enum.class);
    }

    /// @param type the type of the field or of its elements
    private static PackedField packed(FieldPath place, MemoryType type) {
        return new PackedField(type.integer().orElseThrow(), place.struct().byteSize(), place.struct().byteAlignment(),
                place.byteOffset(), place.length());
    }

    private static Map<AccessMode, Object> ofVarHandle(VarHandle values, VarHandle operands) {
        VarHandle exact = values.withInvokeExactBehavior();
        VarHandle exactOperands = operands.withInvokeExactBehavior();
        return Stream.of(AccessMode.values())
                .filter(values::isAccessModeSupported)
                .collect(Collectors.toMap(mode -> mode, mode -> takesOperand(mode) ? exactOperands : exact));
    }

    /// Returns whether the argument of an access mode is a difference or a mask.
    private static boolean takesOperand(AccessMode mode) {
        return mode.methodName().startsWith("getAndAdd") || mode.methodName().startsWith("getAndBitwise");
    }

    private static Map<AccessMode, Object> ofBytes(PackedField field, IntegerConversion conversion) {
        return Map.of(AccessMode.GET, conversion.getter(field), AccessMode.SET, conversion.setter(field));
    }
}
