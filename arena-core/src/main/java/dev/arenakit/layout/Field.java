package dev.arenakit.layout;

import dev.arenakit.internal.layout.field.FieldPath;
import dev.arenakit.internal.layout.value.AddressTargets;
import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.TargetByteSize;
import dev.arenakit.layout.annotation.Unsigned;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A field of a struct: a member, a member of a nested struct, or an element of an array.
///
/// [RecordMapper#field] and [ViewMapper#field] return a description of the field at a path. The subclasses also access
/// the field, for example [LongField] a field of type `long`, and [LongElements] the elements of a field of type
/// `long[]`.
///
/// ```java
/// static final DoubleField PRICE = TRADES.doubleField("price");
///
/// double price = PRICE.getAtIndex(trades, 7);
/// ```
///
/// ## Operations
///
/// Each operation has two forms, as in [MemorySegment]. The form with the short name takes a segment and `byteOffset`,
/// the offset of a struct in bytes. The form whose name ends in `AtIndex` takes a segment and `index`, the index of a
/// struct in a segment of consecutive structs. The modes are the access modes of a [VarHandle]:
///
/// | Operations | Mode | Types |
/// |---|---|---|
/// | `get`, `set` | plain | all |
/// | `getOpaque`, `setOpaque` | opaque: all threads agree on the order of the values of the field | all |
/// | `getAcquire`, `setRelease` | no later access moves before the read, no earlier access moves after the write | all |
/// | `getVolatile`, `setVolatile` | as a `volatile` variable | all |
/// | `getAndSet`, `compareAndSet`, `compareAndExchange` | atomic, volatile | `int`, `long`, `float`, `double`, address, enum |
/// | `getAndAdd`, `getAndBitwiseOr`, `getAndBitwiseAnd`, `getAndBitwiseXor` | atomic, volatile | `int`, `long` |
///
/// `compareAndSet` and `compareAndExchange` compare the bits of floating-point numbers.
///
/// `get` and `set` support every field. The other operations require that the field has the size of a primitive type
/// and is aligned to it. Where that is not the case, for example in a packed struct, they throw an
/// [UnsupportedOperationException].
///
/// ## Integers
///
/// An [Unsigned] integer and a bit field can be read as any type that holds their values: [IntField] reads two unsigned
/// bytes as 0 to 65,535. A smaller type is refused, unless the record or view declares the component with this type: it
/// then is a bit pattern there, and in its field too. Eight unsigned bytes are always a bit pattern. [LongField] has
/// all operations on four unsigned bytes, the atomic ones included. An enum can be read as a constant or as the integer
/// in memory. A write of a value that does not fit is refused. The operands of `getAndAdd` and of the bitwise
/// operations are not checked; the result is cut to the size of the field.
///
/// A write of a field of [Bits] reads the bytes that contain the field, changes its bits, and writes the bytes. It is
/// not atomic: a concurrent write of another field in the same bytes can be lost.
///
/// ## Checks
///
/// All operations check that the whole struct is within the segment and that its address is aligned as the layout
/// requires. They throw:
///
/// - [IndexOutOfBoundsException] if the struct is not within the segment;
/// - [IllegalArgumentException] if the struct is misaligned, if the operation writes and the segment is read-only, or
///   if the value does not fit;
/// - [IllegalStateException] if the scope of the segment is closed;
/// - [WrongThreadException] if the current thread may not access the segment.
///
/// Fields are immutable and can be used by any thread. An access costs about what a VarHandle in a `static final` field
/// costs, wherever the field is held; a write of a bit field takes twice the time.
public class Field {
    private final FieldPath place;

    Field(FieldPath place) {
        this.place = place;
    }

    /// {@return the struct that the path starts from; an address in it has a target only if a component has
    /// [TargetByteSize]}
    public final StructType struct() {
        return place.struct();
    }

    /// {@return the path from the struct to the field}
    public final String path() {
        return place.path();
    }

    /// {@return the offset of the field in the struct, in bytes}
    public final long byteOffset() {
        return place.byteOffset();
    }

    /// {@return the type of the field; an address in it has a target only if a component has [TargetByteSize]}
    public final MemoryType type() {
        return place.type();
    }

    /// {@return the layout of the field}
    public final MemoryLayout layout() {
        return place.type().layout();
    }

    /// Creates a VarHandle that accesses this field by the offset of the struct.
    ///
    /// Its coordinates are a [MemorySegment] and the `long` offset of the struct in bytes, as with
    /// [MemoryLayout#varHandle]. The VarHandle has [invoke-exact behavior][VarHandle#withInvokeExactBehavior]. Its
    /// values have the carrier type of the layout: a constant of an enum is a number. The address 0 is read as a
    /// segment of size 0.
    ///
    /// Keep the VarHandle in a `static final` field: an access through any other field takes many times as long.
    ///
    /// @return the VarHandle
    /// @throws IllegalArgumentException if the field is a struct, a union, an array or text
    public final VarHandle varHandle() {
        checkValue();
        return present(place.struct().layout().varHandle(place.steps())).withInvokeExactBehavior();
    }

    /// Creates a VarHandle that accesses this field by the index of the struct.
    ///
    /// Its coordinates are a [MemorySegment] and the `long` index of the struct; otherwise it is as [#varHandle]. The
    /// VarHandle throws an [IllegalArgumentException] if the index is negative, an [ArithmeticException] if the product
    /// of the index and the size of the struct overflows, and an [IndexOutOfBoundsException] for any other index
    /// outside of the segment.
    ///
    /// @return the VarHandle
    /// @throws IllegalArgumentException if the field is a struct, a union, an array or text
    public final VarHandle varHandleAtIndex() {
        checkValue();
        VarHandle handle = place.struct().layout().arrayElementVarHandle(place.steps());
        return MethodHandles.insertCoordinates(present(handle), 1, 0L).withInvokeExactBehavior();
    }

    private VarHandle present(VarHandle handle) {
        return AddressTargets.present(handle, place.type());
    }

    private void checkValue() {
        if (!(layout() instanceof ValueLayout)) {
            throw place.refusal("Field is not one value: byteOffset=" + byteOffset(),
                    "take one of its parts, or read the record");
        }
    }

    @Override
    public final String toString() {
        return "Field " + path() + " of " + place.struct().name() + " at " + byteOffset();
    }
}
