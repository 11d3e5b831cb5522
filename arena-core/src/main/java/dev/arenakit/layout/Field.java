package dev.arenakit.layout;

import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A field of a struct: a member, a member of a nested struct, or an element of an array.
///
/// [RecordMapper#field] returns the field at a path. Fields are immutable.
public final class Field {
    private final StructType struct;
    private final StructLayout structLayout;
    private final String path;
    private final FieldPath place;

    private Field(StructType struct, StructLayout structLayout, String path, FieldPath place) {
        this.struct = struct;
        this.structLayout = structLayout;
        this.path = path;
        this.place = place;
    }

    static Field of(StructType struct, StructLayout structLayout, String path) {
        return new Field(struct, structLayout, path, FieldPath.of(struct, path));
    }

    /// {@return the path from the struct to the field}
    public String path() {
        return path;
    }

    /// {@return the offset of the field in the struct, in bytes}
    public long byteOffset() {
        return place.byteOffset();
    }

    /// {@return the type of the field}
    public MemoryType type() {
        return place.type();
    }

    /// {@return the layout of the field}
    public MemoryLayout layout() {
        return place.type().layout();
    }

    /// Creates a VarHandle that accesses this field by the offset of the struct.
    ///
    /// Its coordinates are a [MemorySegment] and the `long` offset of the struct in bytes, as with
    /// [MemoryLayout#varHandle]. The VarHandle has [invoke-exact behavior][VarHandle#withInvokeExactBehavior]. Its
    /// values are those of the layout: a constant of an enum is a number.
    ///
    /// Keep the VarHandle in a `static final` field: an access through any other field takes many times as long.
    ///
    /// @return the VarHandle
    /// @throws IllegalArgumentException if the field is a struct, a union, an array or text
    public VarHandle varHandle() {
        checkValue();
        return structLayout.varHandle(place.elements().toArray(PathElement[]::new)).withInvokeExactBehavior();
    }

    /// Creates a VarHandle that accesses this field by the index of the struct.
    ///
    /// Its coordinates are a [MemorySegment] and the `long` index of the struct; otherwise it is as [#varHandle]. The
    /// VarHandle throws an [ArithmeticException] if the product of the index and the size of the struct overflows, and
    /// an [IndexOutOfBoundsException] for any other index outside of the segment.
    ///
    /// @return the VarHandle
    /// @throws IllegalArgumentException if the field is a struct, a union, an array or text
    public VarHandle varHandleAtIndex() {
        checkValue();
        VarHandle handle = structLayout.arrayElementVarHandle(place.elements().toArray(PathElement[]::new));
        return MethodHandles.insertCoordinates(handle, 1, 0L).withInvokeExactBehavior();
    }

    /// The exception for an access that takes a field of another type.
    IllegalArgumentException wrongType(Class<?> expected) {
        String remedy = switch (place.type()) {
            case ValueType value when value.carrier() == int.class -> "use intField";
            case ValueType value when value.carrier() == long.class -> "use longField";
            default -> "intField takes an int and longField a long: use the record, a view or field(path).varHandle()";
        };
        return refusal("Field is of another type: expected=" + expected.getName(), remedy);
    }

    private IllegalArgumentException refusal(String what, String remedy) {
        String type = place.type() instanceof ValueType value
                ? value.carrier().getName()
                : place.type().getClass().getSimpleName();
        return new IllegalArgumentException(what + ", layout=" + struct.name() + ", path=" + path + ", type=" + type
                + "; " + remedy);
    }

    private void checkValue() {
        if (!(layout() instanceof ValueLayout)) {
            throw refusal("Field is not one value: byteOffset=" + byteOffset(),
                    "take one of its parts, or read the record");
        }
    }

    @Override
    public String toString() {
        return "Field " + path + " of " + struct.name() + " at " + byteOffset();
    }
}
