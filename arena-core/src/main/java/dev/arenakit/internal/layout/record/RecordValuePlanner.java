package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.declaration.ComponentDeclaration;
import dev.arenakit.internal.layout.emit.Descriptors;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder;
import dev.arenakit.internal.layout.value.AddressTargets;
import dev.arenakit.internal.layout.value.EnumCodec;
import dev.arenakit.internal.layout.value.IntegerRange;
import dev.arenakit.internal.layout.value.NumberCodec;
import dev.arenakit.internal.layout.value.RecordCodec;
import dev.arenakit.internal.layout.value.ValueChecks;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Optional;

/// Creates the plans of components that are one number or address.
final class RecordValuePlanner {
    private final HiddenClassBuilder target;
    private final StructType type;
    private final StructLayout layout;
    private final boolean inArray;
    private final boolean clears;
    private final RecordCodec.Source nested;

    /// @param type    the outermost struct
    /// @param inArray whether primitive values are in an array of longs
    /// @param clears  whether that array contains previous bytes
    /// @param nested  provides the codecs of references
    RecordValuePlanner(HiddenClassBuilder target, StructType type, boolean inArray, boolean clears,
            RecordCodec.Source nested) {
        this.target = target;
        this.type = type;
        this.layout = (inArray ? type.withByteAlignment(1) : type).layout();
        this.inArray = inArray;
        this.clears = clears;
        this.nested = nested;
    }

    /// Returns the plan of a component.
    ///
    /// @param path   the path from the outermost struct
    /// @param offset the offset in the outermost struct
    /// @throws IllegalArgumentException if the component has another type
    RecordPlan.Direct direct(ComponentDeclaration component, MemoryType type, List<PathElement> path, long offset) {
        Class<?> asked = component.type();
        RecordPlan.Primitive number = number(type, path, offset);
        if (type instanceof ValueType value && asked == value.carrier()) {
            return number;
        }
        if (type instanceof UnsignedType unsigned && unsigned.isPatternOf(asked)) {
            return number;
        }
        if (type instanceof UnsignedType unsigned && asked.isPrimitive()) {
            return ranged(number, unsigned.integer().orElseThrow(), component);
        }
        if (type instanceof EnumType memory && asked.isEnum()) {
            return decoded(number, EnumCodec.of(component, memory));
        }
        if (type instanceof BitFieldType bits && bits.declared() instanceof EnumType memory && asked.isEnum()) {
            return decoded(number, EnumCodec.of(component, memory));
        }
        if (type instanceof BitFieldType bits && asked.isPrimitive()) {
            return ranged(number, bits.integer().orElseThrow(), component);
        }
        if (type instanceof AddressType address && asked == MemorySegment.class) {
            return new RecordPlan.Address(number.access(),
                    address.target().isPresent()
                            ? Optional.of(target.call(AddressTargets.PRESENT))
                            : Optional.empty(),
                    target.call(ValueChecks.ofAddress()),
                    component.where());
        }
        if (type instanceof RefType memory && component.isReference()) {
            return decoded(number, nested.reference(component, memory));
        }
        throw component.disagreement(type);
    }

    private RecordPlan.Decoded decoded(RecordPlan.Primitive number, NumberCodec codec) {
        return new RecordPlan.Decoded(number.access(), number.unsigned(),
                target.call(codec, "decode", Object.class, long.class),
                target.call(codec, "encode", long.class, Object.class));
    }

    private RecordPlan.Ranged ranged(RecordPlan.Primitive number, StoredInteger integer,
            ComponentDeclaration component) {
        return new RecordPlan.Ranged(extended(number), TypeKind.from(component.type()),
                target.call(IntegerRange.of(integer, component.type(), component.where()), "checked", long.class,
                        long.class));
    }

    private static RecordValueEmitter extended(RecordPlan.Primitive number) {
        boolean smaller = number.unsigned() && number.access().kind() != TypeKind.LONG;
        return smaller ? new RecordValueEmitter.Extended(number.access()) : number.access();
    }

    /// Returns the plan of a number or an address as it is in memory.
    RecordPlan.Primitive number(MemoryType type, List<PathElement> path, long offset) {
        if (type instanceof BitFieldType bits) {
            Optional<RecordBitUnit> unit = inArray ? Optional.empty() : RecordBitUnit.find(this.type, offset, bits);
            return new RecordPlan.Primitive(unit.isPresent()
                    ? unit.get().emitter(target, this.type, bits, offset)
                    : bits(bits.integer().orElseThrow(), offset), false);
        }
        if (type instanceof UnsignedType unsigned && !unsigned.isPowerOfTwo()) {
            return new RecordPlan.Primitive(bits(unsigned.integer().orElseThrow(), offset), false);
        }
        boolean unsigned = type instanceof EnumType memory
                ? memory.isUnsigned()
                : type instanceof UnsignedType || type instanceof RefType;
        return new RecordPlan.Primitive(value(type, path, offset), unsigned);
    }

    private RecordValueEmitter bits(StoredInteger integer, long offset) {
        return RecordValueEmitter.OfBits.of(target, integer, offset);
    }

    private RecordValueEmitter value(MemoryType type, List<PathElement> path, long offset) {
        ValueLayout value = (ValueLayout) type.layout();
        ClassDesc carrier = Descriptors.of(value.carrier());
        if (inArray && !(type instanceof AddressType) && RecordWordEmitter.isWithin(value, offset)) {
            return RecordWordEmitter.of(value, offset, clears);
        }
        // No method reference: to link one takes a hundredth of the time of the first mapper.
        VarHandle handle = layout.varHandle(path.toArray(new PathElement[0])).withInvokeExactBehavior();
        return new RecordValueEmitter.OfHandle(target.constant(VarHandle.class, handle), carrier);
    }
}
