package dev.arenakit.internal.layout.view;

import dev.arenakit.internal.layout.declaration.ComponentDeclaration;
import dev.arenakit.internal.layout.declaration.StructTypeReader;
import dev.arenakit.internal.layout.declaration.TypeCompatibility;
import dev.arenakit.internal.layout.declaration.ViewDeclaration;
import dev.arenakit.internal.layout.emit.KnownMethods;
import dev.arenakit.internal.layout.value.AddressTargets;
import dev.arenakit.internal.layout.value.ArrayCodec;
import dev.arenakit.internal.layout.value.ComponentCodec;
import dev.arenakit.internal.layout.value.CountedArrayCodec;
import dev.arenakit.internal.layout.value.EnumCodec;
import dev.arenakit.internal.layout.value.FixedTextCodec;
import dev.arenakit.internal.layout.value.IntegerConversion;
import dev.arenakit.internal.layout.value.PackedField;
import dev.arenakit.internal.layout.value.RecordCodec;
import dev.arenakit.internal.layout.value.ValueChecks;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Optional;

/// The MethodHandles or VarHandles that read and write one value of a view.
///
/// They take the segment and an offset: the offset of the [Origin] for a number or an address, and the offset of
/// the value for all other types. References are Object.
///
/// @param getter a VarHandle, or a MethodHandle such as `(MemorySegment, long)Object`
/// @param setter a VarHandle, or a MethodHandle such as `(MemorySegment, long, Object)void`, or empty for nested views
record ViewValueHandles(Object getter, Optional<Object> setter) {
    /// The start of an access to a value of a view. The access checks that the whole type at this place is within the
    /// segment and aligned.
    ///
    /// @param type       the struct or union that contains the value, or the type of the value itself
    /// @param byteOffset the offset of the value in the type
    /// @param path       the path of the value in the type
    record Origin(MemoryType type, long byteOffset, List<PathElement> path) {
        /// Returns the VarHandle of the value.
        VarHandle handle() {
            return type.layout().varHandle(path.toArray(PathElement[]::new));
        }

        /// Returns the access to an integer that has no VarHandle.
        PackedField packed(StoredInteger integer) {
            return new PackedField(integer, type.byteSize(), type.byteAlignment(), byteOffset, -1);
        }
    }

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final MethodType READ = MethodType.methodType(Object.class, MemorySegment.class, long.class);
    private static final MethodType WRITE = MethodType.methodType(void.class, MemorySegment.class, long.class,
            Object.class);

    /// @param component   the value as the accessor declares it
    /// @param type        the type in memory
    /// @param origin      where the access to a number or an address starts
    /// @param viewPackage where the classes of nested views are defined
    /// @throws IllegalArgumentException if component and type do not agree
    static ViewValueHandles of(ComponentDeclaration component, MemoryType type, Origin origin,
            ViewPackage viewPackage) {
        String where = component.where();
        Class<?> asked = component.type();
        return switch (type) {
            case ValueType value when asked == value.carrier() -> ofHandle(origin.handle());
            case EnumType _,BitFieldType _ when asked.isEnum() -> ofEnum(component, type, origin);
            case EnumType _,BitFieldType _,UnsignedType _ when IntegerConversion.supports(type, asked) ->
                ofInteger(type, IntegerConversion.of(type, asked, where), origin);
            case RefType memory when component.isReference() -> ofInteger(type,
                    IntegerConversion.of(type, viewPackage.nested().reference(component, memory)), origin);
            case AddressType _ when asked == MemorySegment.class -> ofAddress(origin.handle(), where);
            case StringType text when asked == String.class -> {
                component.checkFitsHeap(text.byteSize(),
                        "make it an array of bytes in the struct, and read that by index");
                yield ofCodec(FixedTextCodec.of(component, text, 0));
            }
            case ArrayType array when asked.isArray() -> ofCodec(array(component, array, 0, viewPackage));
            case StructType struct when asked.isRecord() -> ofRecord(component, struct, viewPackage);
            case StructType struct when ViewDeclaration.isView(asked) ->
                new ViewValueHandles(ViewClass.of(asked, struct, viewPackage).factory(), Optional.empty());
            case UnionType union when ViewDeclaration.isView(asked) ->
                new ViewValueHandles(ViewClass.of(asked, union, viewPackage).factory(), Optional.empty());
            case UnionType union when asked == byte[].class -> ofCodec(array(component,
                    ArrayType.of(ValueType.of(byte.class), union.byteSize()), 0, viewPackage));
            case UnionType _ -> throw component.refusal("Union is not one value",
                    "give the struct, and let the accessor return a view that has a method for each member of the"
                            + " union");
            default -> throw component.disagreement(type);
        };
    }

    /// Returns the handles of a whole array whose length is another member. They take the offset of the struct.
    ///
    /// @throws IllegalArgumentException if component and member do not agree
    static ViewValueHandles ofCounted(ComponentDeclaration component, Member member, Member count,
            ViewPackage viewPackage) {
        if (!(member.type() instanceof ArrayType array) || !component.type().isArray()) {
            throw component.disagreement(member.type());
        }
        CountedArrayCodec codec = new CountedArrayCodec(array(component, array, member.byteOffset(), viewPackage),
                (int) array.length(), count.type().integer().orElseThrow(), count.byteOffset(), component.where());
        return new ViewValueHandles(KnownMethods.bind(LOOKUP, codec, "read", READ),
                Optional.of(method(codec, CountedArrayCodec.class, "writeCounted", WRITE)));
    }

    /// Checks an array against its count, and writes it. The setters of counted arrays call this method.
    static void writeCounted(CountedArrayCodec codec, MemorySegment segment, long offset, Object value) {
        Object prepared = codec.prepare(segment, offset, value);
        codec.check(codec.count().get(segment, offset + codec.countOffset()), prepared);
        codec.write(segment, offset, prepared);
    }

    private static ViewValueHandles ofHandle(VarHandle handle) {
        VarHandle exact = handle.withInvokeExactBehavior();
        return new ViewValueHandles(exact, Optional.of(exact));
    }

    private static ViewValueHandles ofEnum(ComponentDeclaration component, MemoryType type, Origin origin) {
        EnumType constants = IntegerConversion.constants(type).orElseThrow(() -> component.disagreement(type));
        return ofInteger(type, IntegerConversion.of(type, EnumCodec.of(component, constants)), origin);
    }

    private static ViewValueHandles ofInteger(MemoryType type, IntegerConversion conversion, Origin origin) {
        if (!(type.layout() instanceof ValueLayout)) {
            PackedField packed = origin.packed(conversion.integer());
            return new ViewValueHandles(conversion.getter(packed), Optional.of(conversion.setter(packed)));
        }
        VarHandle adapted = conversion.adapt(origin.handle());
        return conversion.inJava().isPrimitive()
                ? ofHandle(adapted)
                : new ViewValueHandles(adapted.toMethodHandle(VarHandle.AccessMode.GET),
                        Optional.of(adapted.toMethodHandle(VarHandle.AccessMode.SET)));
    }

    private static ViewValueHandles ofAddress(VarHandle handle, String where) {
        MethodHandle checked = MethodHandles.insertArguments(ValueChecks.ofAddress(), 1, where);
        MethodHandle setter = MethodHandles.filterArguments(handle.toMethodHandle(VarHandle.AccessMode.SET), 2,
                checked);
        MethodHandle getter = MethodHandles.filterReturnValue(handle.toMethodHandle(VarHandle.AccessMode.GET),
                AddressTargets.PRESENT);
        return new ViewValueHandles(getter.asType(READ), Optional.of(setter.asType(WRITE)));
    }

    private static ViewValueHandles ofCodec(ComponentCodec codec) {
        return new ViewValueHandles(KnownMethods.bind(LOOKUP, codec, "read", READ),
                Optional.of(method(codec, ComponentCodec.class, "write", WRITE)));
    }

    private static <C> MethodHandle method(C codec, Class<C> parameter, String name, MethodType type) {
        MethodType method = type.insertParameterTypes(0, parameter);
        return KnownMethods.findStatic(LOOKUP, ViewValueHandles.class, name, method.returnType(),
                method.parameterArray()).bindTo(codec);
    }

    /// Checks a value and writes it. The setters with codecs call this method.
    static void write(ComponentCodec codec, MemorySegment segment, long offset, Object value) {
        codec.write(segment, offset, codec.prepare(segment, offset, value));
    }

    private static ArrayCodec array(ComponentDeclaration component, ArrayType array, long offset,
            ViewPackage viewPackage) {
        if (ViewDeclaration.isView(component.type().getComponentType())) {
            throw component.refusal("An array of views cannot be returned", byIndex(component));
        }
        component.checkFitsHeap(array.byteSize(), byIndex(component));
        // Elements are prepared in a byte array, so that the mapper must not require an alignment.
        return ArrayCodec.of(component, array, offset,
                (element, struct) -> codec(element, struct, struct.withByteAlignment(1), viewPackage),
                viewPackage.nested()::reference);
    }

    private static String byIndex(ComponentDeclaration component) {
        return "read the elements by index, as in `" + component.type().getComponentType().getSimpleName() + " "
                + component.javaName() + "(long index)`";
    }

    private static ViewValueHandles ofRecord(ComponentDeclaration component, StructType struct,
            ViewPackage viewPackage) {
        RecordCodec codec = codec(component, struct, struct, viewPackage);
        return new ViewValueHandles(method(codec, RecordCodec.class, "read", READ),
                Optional.of(method(codec, RecordCodec.class, "write", WRITE)));
    }

    /// Reads a record. The getters of records call this method.
    static Object read(RecordCodec codec, MemorySegment segment, long offset) {
        return codec.get(segment, offset);
    }

    /// Writes a record. The setters of records call this method.
    static void write(RecordCodec codec, MemorySegment segment, long offset, Object record) {
        codec.set(segment, offset, record);
    }

    private static RecordCodec codec(ComponentDeclaration component, StructType memory, StructType placed,
            ViewPackage viewPackage) {
        if (!TypeCompatibility.same(StructTypeReader.ofRecord(component.type()), memory)) {
            throw component.disagreement(memory);
        }
        return viewPackage.nested().codec(component.type(), placed);
    }

    /// Returns the getter as a MethodHandle `(MemorySegment, long)Object`.
    MethodHandle reader() {
        return getter instanceof VarHandle handle
                ? handle.toMethodHandle(VarHandle.AccessMode.GET).asType(READ)
                : ((MethodHandle) getter).asType(READ);
    }
}
