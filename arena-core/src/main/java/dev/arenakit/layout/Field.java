package dev.arenakit.layout;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A place within each of the structs that stand one after the other in a segment.
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

    /// {@return where the field begins, in bytes from the beginning of the struct}
    public long byteOffset() {
        return place.byteOffset();
    }

    /// {@return what stands there}
    public MemoryType type() {
        return place.type();
    }

    /// {@return the JDK's layout of the field}
    public MemoryLayout layout() {
        return place.type().layout();
    }

    /// A VarHandle that takes a [MemorySegment] and the `long` index of a struct in it, with exactly these types
    /// ([VarHandle#withInvokeExactBehavior]). Its values are those of the layout: an enum is the number that stands for it.
    ///
    /// An index whose product with the size of the struct is no `long` is an [ArithmeticException], any other outside the segment
    /// an [IndexOutOfBoundsException].
    ///
    /// Keep it in a `static final` field: elsewhere an access takes many times as long.
    ///
    /// @return the handle
    /// @throws IllegalArgumentException when the field is a struct, a union, an array or text
    public VarHandle varHandle() {
        checkValue();
        VarHandle handle = structLayout.arrayElementVarHandle(place.elements().toArray(PathElement[]::new));
        return MethodHandles.insertCoordinates(handle, 1, 0L).withInvokeExactBehavior();
    }

    /// The same with the offset of the struct in place of its index.
    VarHandle varHandleAtOffset() {
        checkValue();
        return structLayout.varHandle(place.elements().toArray(PathElement[]::new)).withInvokeExactBehavior();
    }

    IllegalArgumentException refusal(String what, String remedy) {
        return new IllegalArgumentException(what + ": layout=" + struct.name() + ", path=" + path + ", type="
                + place.type().getClass().getSimpleName() + "; " + remedy);
    }

    private void checkValue() {
        if (!(layout() instanceof ValueLayout)) {
            throw refusal("Field is not one value", "take one of its parts, or read the record");
        }
    }

    @Override
    public String toString() {
        return "Field " + path + " of " + struct.name() + " at " + byteOffset();
    }
}
