package dev.arenakit.internal.layout.field;

import dev.arenakit.internal.layout.emit.AccessExceptions;
import dev.arenakit.internal.layout.emit.Descriptors;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder.Constant;
import dev.arenakit.internal.layout.emit.KnownMethods;
import dev.arenakit.layout.type.StructType;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Generates the class that accesses one field.
///
/// The class implements the abstract methods of the class of its kind. Each method is named after an access mode of
/// [VarHandle], with or without the suffix `AtIndex`. The VarHandle is a constant of the class. A field without a
/// VarHandle has MethodHandles for `get` and `set` instead.
final class FieldClassEmitter {
    private static final String AT_INDEX = "AtIndex";
    private static final ClassDesc FIELD_PATH = Descriptors.of(FieldPath.class);
    private static final ClassDesc EXCEPTIONS = Descriptors.of(Failures.class);
    private static final ClassDesc SEGMENT = Descriptors.SEGMENT;
    private static final ClassDesc LONG = ConstantDescs.CD_long;
    private static final MethodTypeDesc NEW = MethodTypeDesc.of(ConstantDescs.CD_void, FIELD_PATH);
    private static final MethodTypeDesc CHECK_INDEX = MethodTypeDesc.of(LONG, LONG, LONG);
    private static final MethodTypeDesc EXPLAIN = MethodTypeDesc.of(Descriptors.RUNTIME_EXCEPTION,
            Descriptors.RUNTIME_EXCEPTION, SEGMENT, LONG, ConstantDescs.CD_boolean, LONG, ConstantDescs.CD_boolean);
    private static final MethodTypeDesc UNSUPPORTED = MethodTypeDesc.of(
            Descriptors.of(UnsupportedOperationException.class), ConstantDescs.CD_String);
    // The slots of the parameters that every operation has.
    private static final int SEGMENT_SLOT = 1;
    private static final int PLACE_SLOT = 2;
    private static final int ELEMENT_SLOT = 4;

    private final Class<?> superclass;
    private final FieldKind kind;
    private final long byteSize;
    private final Map<VarHandle.AccessMode, Object> handles;
    private final Map<Object, Constant> constants = new HashMap<>();
    private final Constant exceptions;

    /// Completes the messages of exceptions that the operations of a field throw.
    ///
    /// @param struct the struct
    /// @param path   the path of the field
    /// @param length the number of elements, or -1 if the field is not accessed by element
    public record Failures(StructType struct, String path, long length) {
        /// Explains the exception of an operation.
        ///
        /// @param place   the index or offset
        /// @param byIndex whether it is an index
        /// @param element the index of the element, or -1
        /// @param writes  whether the operation writes
        public RuntimeException explained(RuntimeException e, @Nullable MemorySegment segment, long place,
                boolean byIndex,
                long element, boolean writes) {
            if (length >= 0 && (element < 0 || element >= length)) {
                IndexOutOfBoundsException better = new IndexOutOfBoundsException(
                        "Element is not within the array: element="
                                + element + ", length=" + length + ", layout=" + struct.name() + ", path=" + path);
                better.initCause(e);
                return better;
            }
            return AccessExceptions.explained(e, struct, segment, (byIndex ? "index=" : "byteOffset=") + place, place,
                    byIndex ? struct.byteSize() : 1, writes);
        }

        /// The exception for an operation that the JDK does not offer for the field.
        public UnsupportedOperationException unsupported(String operation) {
            return new UnsupportedOperationException("Field does not support the operation: operation=" + operation
                    + ", layout=" + struct.name() + ", path=" + path
                    + "; it requires a field that is aligned to its size, and the atomic operations one of 4 or 8 bytes");
        }
    }

    private FieldClassEmitter(HiddenClassBuilder target, Class<?> superclass, FieldKind kind, FieldPath place,
            Map<VarHandle.AccessMode, Object> handles) {
        this.superclass = superclass;
        this.kind = kind;
        this.byteSize = place.struct().byteSize();
        this.handles = handles;
        handles.values().forEach(handle -> constants.computeIfAbsent(handle, _ -> target.constant(handle)));
        exceptions = target.constant(Failures.class,
                new Failures(place.struct(), place.path(), place.length()));
    }

    /// Creates the object that accesses a field.
    ///
    /// @param host       a Lookup of the package that contains the superclass
    /// @param superclass the abstract class of the kind, whose constructor takes the path
    /// @param inJava     the type of the values: an enum class instead of the carrier of [FieldKind#ENUM]
    /// @throws IllegalArgumentException if the field has another type
    static <F> F emit(MethodHandles.Lookup host, Class<F> superclass, FieldKind kind, FieldPath place,
            Class<?> inJava) {
        Map<VarHandle.AccessMode, Object> handles = FieldHandles.of(place, kind, inJava);
        HiddenClassBuilder target = new HiddenClassBuilder(host, superclass.getSimpleName() + "OfMemory");
        FieldClassEmitter emitter = new FieldClassEmitter(target, superclass, kind, place, handles);
        MethodHandles.Lookup lookup = target.define(emitter::methods);
        try {
            return superclass.cast(Objects.requireNonNull(
                    (Object) KnownMethods.findConstructor(lookup, FieldPath.class).invokeExact(place)));
        } catch (Throwable e) {
            throw new AssertionError("The constructor of a field cannot throw", e);
        }
    }

    private void methods(ClassBuilder builder) {
        ClassDesc parent = Descriptors.of(superclass);
        builder.withSuperclass(parent);
        builder.withMethodBody(ConstantDescs.INIT_NAME, NEW, 0, code -> code.aload(0)
                .aload(1)
                .invokespecial(parent, ConstantDescs.INIT_NAME, NEW)
                .return_());
        for (Method method : superclass.getDeclaredMethods()) {
            if (Modifier.isAbstract(method.getModifiers())) {
                builder.withMethodBody(method.getName(), Descriptors.of(method), ClassFile.ACC_PUBLIC,
                        code -> operation(code, method));
            }
        }
    }

    private void operation(CodeBuilder code, Method method) {
        boolean byIndex = method.getName().endsWith(AT_INDEX);
        String mode = byIndex
                ? method.getName().substring(0, method.getName().length() - AT_INDEX.length())
                : method.getName();
        Object handle = handles.get(VarHandle.AccessMode.valueFromMethodName(mode));
        if (handle == null) {
            exceptions.load(code);
            code.loadConstant(method.getName()).invokevirtual(EXCEPTIONS, "unsupported", UNSUPPORTED).athrow();
            return;
        }
        code.trying(body -> access(body, method, handle, mode, byIndex),
                catches -> catches.catching(Descriptors.RUNTIME_EXCEPTION, handler -> explain(handler, mode, byIndex)));
    }

    private void access(CodeBuilder code, Method method, Object handle, String mode, boolean byIndex) {
        Objects.requireNonNull(constants.get(handle)).load(code);
        code.aload(SEGMENT_SLOT).lload(PLACE_SLOT);
        if (byIndex) {
            // The product overflows from this bound on. It is a constant, so that the compiler removes the check in
            // loops.
            code.loadConstant(Long.MAX_VALUE / byteSize)
                    .invokestatic(Descriptors.of(Objects.class), "checkIndex", CHECK_INDEX)
                    .loadConstant(byteSize)
                    .lmul();
        }
        int slot = ELEMENT_SLOT;
        for (Class<?> parameter : List.of(method.getParameterTypes()).subList(2, method.getParameterCount())) {
            TypeKind type = TypeKind.from(parameter);
            code.loadLocal(type, slot);
            slot += type.slotSize();
        }
        boolean isVariable = handle instanceof VarHandle;
        code.invokevirtual(isVariable ? ConstantDescs.CD_VarHandle : ConstantDescs.CD_MethodHandle,
                isVariable ? mode : "invokeExact", Descriptors.of(method))
                .return_(TypeKind.from(method.getReturnType()));
    }

    private void explain(CodeBuilder code, String mode, boolean byIndex) {
        int exception = code.allocateLocal(TypeKind.REFERENCE);
        code.astore(exception);
        exceptions.load(code);
        code.aload(exception).aload(SEGMENT_SLOT).lload(PLACE_SLOT).loadConstant(byIndex ? 1 : 0);
        if (kind.elements()) {
            code.lload(ELEMENT_SLOT);
        } else {
            code.loadConstant(-1L);
        }
        boolean writes = !mode.startsWith("get") || mode.startsWith("getAnd");
        code.loadConstant(writes ? 1 : 0).invokevirtual(EXCEPTIONS, "explained", EXPLAIN).athrow();
    }
}
