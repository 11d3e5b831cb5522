package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.function.Supplier;

/// How one value of a view is read from its place, and written there.
///
/// The handles take the segment and an offset: of the value itself, or from where the given handle reaches it. References are
/// Object.
///
/// @param getter a VarHandle, or a MethodHandle `(MemorySegment, long)Object`
/// @param setter a VarHandle, or a MethodHandle `(MemorySegment, long, Object)void`, or empty for nested views
record ViewElement(Object getter, Optional<Object> setter) {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final MethodType READ = MethodType.methodType(Object.class, MemorySegment.class, long.class);
    private static final MethodType WRITE = MethodType.methodType(void.class, MemorySegment.class, long.class,
            Object.class);

    /// @param part   what the accessor reads
    /// @param type   what stands in memory
    /// @param handle reaches it where it is one value
    /// @param host   where classes of nested views are made
    /// @throws IllegalArgumentException when these do not agree
    static ViewElement of(Part part, MemoryType type, Supplier<VarHandle> handle, ViewHost host) {
        String where = "class=" + part.owner().getName() + ", component=" + part.javaName();
        Class<?> asked = part.type();
        return switch (type) {
            case ValueType value when asked == value.carrier() -> ofHandle(handle.get());
            case EnumType memory when asked == memory.value().carrier() -> ofHandle(handle.get());
            case EnumType memory when asked.isEnum() -> ofEnum(part, memory, handle.get(), where);
            case AddressType _ when asked == MemorySegment.class -> ofAddress(handle.get(), where);
            case StringType text when asked == String.class -> {
                checkHeap(part, text, "make it an array of bytes in the struct, and read that by index");
                yield ofCodec(new TextCodec(text, 0, where));
            }
            case ArrayType array when asked.isArray() -> ofCodec(array(part, array, where, host));
            case StructType struct when asked.isRecord() -> ofRecord(part, struct, host);
            case StructType struct when ViewReader.isView(asked) ->
                new ViewElement(ViewClass.of(asked, struct, host).constructor(), Optional.empty());
            case UnionType union when ViewReader.isView(asked) ->
                new ViewElement(ViewClass.of(asked, union, host).constructor(), Optional.empty());
            case UnionType _ -> throw part.refusal("Union is not seen as one value",
                    "give the struct, and let the accessor return a view that has a method for each member of the union");
            default -> throw disagreement(part, type);
        };
    }

    private static ViewElement ofHandle(VarHandle handle) {
        VarHandle exact = handle.withInvokeExactBehavior();
        return new ViewElement(exact, Optional.of(exact));
    }

    private static ViewElement ofEnum(Part part, EnumType memory, VarHandle handle, String where) {
        EnumCodec codec = codec(part, memory, where);
        MethodHandle constant = bound("constant", MethodType.methodType(Object.class, long.class), EnumCodec.class,
                codec);
        MethodHandle value = bound("value", MethodType.methodType(long.class, Object.class), EnumCodec.class, codec);
        MethodHandle getter = MethodHandles.filterReturnValue(handle.toMethodHandle(VarHandle.AccessMode.GET)
                .asType(READ.changeReturnType(long.class)), constant);
        MethodHandle narrow = MethodHandles.explicitCastArguments(handle.toMethodHandle(VarHandle.AccessMode.SET),
                WRITE.changeParameterType(2, long.class));
        return new ViewElement(getter, Optional.of(MethodHandles.filterArguments(narrow, 2, value)));
    }

    private static EnumCodec codec(Part part, EnumType memory, String where) {
        if (!new TypeAnnotations(part.type()).constants().equals(memory.constants())) {
            throw disagreement(part, memory);
        }
        return EnumCodec.of(part.type(), memory, where);
    }

    private static ViewElement ofAddress(VarHandle handle, String where) {
        MethodHandle checked = MethodHandles.insertArguments(found(Components.class, "address",
                MethodType.methodType(MemorySegment.class, Object.class, String.class)), 1, where);
        MethodHandle setter = MethodHandles.filterArguments(handle.toMethodHandle(VarHandle.AccessMode.SET), 2,
                checked);
        return new ViewElement(handle.withInvokeExactBehavior(), Optional.of(setter));
    }

    private static ViewElement ofCodec(ComponentCodec codec) {
        return new ViewElement(bound("read", READ, ComponentCodec.class, codec),
                Optional.of(found(ViewElement.class, "write", WRITE.insertParameterTypes(0, ComponentCodec.class))
                        .bindTo(codec)));
    }

    /// Checks a value and writes it; what setters of codecs call.
    static void write(ComponentCodec codec, MemorySegment segment, long offset, Object value) {
        codec.write(segment, offset, codec.prepare(value));
    }

    private static ComponentCodec array(Part part, ArrayType array, String where, ViewHost host) {
        Part element = part.element();
        Class<?> asked = element.type();
        if (ViewReader.isView(asked)) {
            throw part.refusal("Views are not made by the array", byIndex(part));
        }
        checkHeap(part, array, byIndex(part));
        int length = (int) array.length();
        return switch (array.element()) {
            case ValueType value when asked == value.carrier() ->
                new PrimitiveArrayCodec(value.layout(), length, 0, where);
            case EnumType memory when asked.isEnum() -> new EnumArrayCodec(asked, codec(element, memory, where),
                    memory.layout(), length, 0, where);
            case AddressType address when asked == MemorySegment.class ->
                new AddressArrayCodec(address.layout(), length, 0, where);
            // At any address: elements are prepared in an array of bytes.
            case StructType struct when asked.isRecord() -> new RecordArrayCodec(asked,
                    mapper(element, struct, struct.withByteAlignment(1), host), length, 0, where);
            default -> throw disagreement(part, array);
        };
    }

    private static String byIndex(Part part) {
        return "read the elements by index, as in `" + part.type().getComponentType().getSimpleName() + " "
                + part.javaName() + "(long index)`";
    }

    /// Refuses what no array on the heap holds, with room for the header of one.
    private static void checkHeap(Part part, MemoryType type, String remedy) {
        if (type.byteSize() > Integer.MAX_VALUE - Long.BYTES) {
            throw part.refusal("Component is too large for the heap", "its size is " + type.byteSize() + " bytes; "
                    + remedy);
        }
    }

    private static ViewElement ofRecord(Part part, StructType struct, ViewHost host) {
        RecordMapper<Object> mapper = mapper(part, struct, struct, host);
        return new ViewElement(bound("getAt", READ, RecordMapper.class, mapper),
                Optional.of(bound("setAt", WRITE, RecordMapper.class, mapper)));
    }

    private static RecordMapper<Object> mapper(Part part, StructType memory, StructType placed, ViewHost host) {
        if (!Shapes.same(TypeReader.ofRecord(part.type()), memory)) {
            throw disagreement(part, memory);
        }
        return RecordMapperMaker.make(part.type(), placed, host.records());
    }

    private static IllegalArgumentException disagreement(Part part, MemoryType type) {
        return part.refusal("Accessor and member do not agree", "in memory is " + type);
    }

    private static <T> MethodHandle bound(String name, MethodType type, Class<? super T> owner, T receiver) {
        try {
            return LOOKUP.findVirtual(owner, name, type).bindTo(receiver);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name, e);
        }
    }

    private static MethodHandle found(Class<?> owner, String name, MethodType type) {
        try {
            return LOOKUP.findStatic(owner, name, type);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name, e);
        }
    }

    /// The getter as a MethodHandle `(MemorySegment, long)Object`.
    MethodHandle reader() {
        return getter instanceof VarHandle handle
                ? handle.toMethodHandle(VarHandle.AccessMode.GET).asType(READ)
                : (MethodHandle) getter;
    }
}
