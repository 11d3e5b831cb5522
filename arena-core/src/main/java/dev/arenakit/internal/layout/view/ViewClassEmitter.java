package dev.arenakit.internal.layout.view;

import dev.arenakit.internal.layout.emit.AccessExceptions;
import dev.arenakit.internal.layout.emit.Descriptors;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder.Call;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder.Constant;
import dev.arenakit.layout.View;
import dev.arenakit.layout.type.StructType;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Emits the class of a view. Its fields are a segment and an offset, and each of its methods makes one access.
///
/// The class may be in a package of the user. It refers only to the JDK, to the interface, to the classes that the
/// interface refers to, and to itself. It uses everything else through constant MethodHandles.
final class ViewClassEmitter {
    static final String FACTORY = "create";
    static final String OFFSET = "offset";
    static final String SEGMENT = "segment";

    private static final ClassDesc CD_SEGMENT = Descriptors.SEGMENT;
    private static final ClassDesc CD_LONG = ConstantDescs.CD_long;
    private static final ClassDesc CD_OBJECT = ConstantDescs.CD_Object;
    private static final ClassDesc CD_VOID = ConstantDescs.CD_void;
    private static final MethodTypeDesc NEW = MethodTypeDesc.of(CD_VOID, CD_SEGMENT, CD_LONG);
    private static final MethodTypeDesc CREATE = MethodTypeDesc.of(CD_OBJECT, CD_SEGMENT, CD_LONG);
    private static final MethodTypeDesc SLICE = MethodTypeDesc.of(CD_SEGMENT, CD_LONG, CD_LONG);
    private static final MethodTypeDesc CHECK_INDEX = MethodTypeDesc.of(CD_LONG, CD_LONG, CD_LONG);

    private final HiddenClassBuilder target;
    private final Class<?> view;
    private final StructType type;
    private final List<ViewPlanner.Plan> members;
    private final List<Methods> methods = new ArrayList<>();
    private final Call text;
    private final Call hash;
    private final Call same;

    /// The constants of an accessor.
    private record Methods(ViewPlanner.Plan plan, Constant getter, Constant setter, Call ofRead, Call ofWrite) {}

    /// Adds member, offset, size and layout to the messages of exceptions that an accessor throws.
    ///
    /// @param type   the struct
    /// @param member the member
    /// @param count  the number of elements, or -1 if the member is not accessed by index
    /// @param writes whether the accessor writes
    public record Failures(StructType type, String member, long count, boolean writes) {
        /// Returns an exception of the same class with a longer message, or the exception itself if its cause is not the
        /// location of the struct.
        ///
        /// @param base  the offset of the struct
        /// @param index the index, or -1
        public RuntimeException explained(RuntimeException e, MemorySegment segment, long base, long index) {
            if (count >= 0 && (index < 0 || index >= count)) {
                IndexOutOfBoundsException better = new IndexOutOfBoundsException("Index is not within the array: index="
                        + index + ", length=" + count + ", layout=" + type.name() + ", member=" + member);
                better.initCause(e);
                return better;
            }
            return AccessExceptions.explained(e, type, segment, "member=" + member + ", byteOffset=" + base, base, 1,
                    writes);
        }
    }

    ViewClassEmitter(HiddenClassBuilder target, Class<?> view, StructType type, List<ViewPlanner.Plan> members) {
        this.target = target;
        this.view = view;
        this.type = type;
        this.members = members;
        ViewObjectMethods objectMethods = new ViewObjectMethods(view.getSimpleName(),
                members.stream().map(ViewPlanner.Plan::printed).toList(), type.byteSize());
        text = target.call(objectMethods, "text", String.class, MemorySegment.class, long.class);
        hash = target.call(objectMethods, "hash", int.class, MemorySegment.class, long.class);
        same = target.call(objectMethods, "same", boolean.class, MemorySegment.class, long.class, MemorySegment.class,
                long.class);
    }

    /// Defines the class.
    MethodHandles.Lookup define() {
        for (ViewPlanner.Plan plan : members) {
            Constant getter = target.constant(plan.handles().getter());
            Constant setter = plan.handles().setter().map(target::constant).orElse(getter);
            methods.add(new Methods(plan, getter, setter, explanation(plan, false), explanation(plan, true)));
        }
        return target.define(this::write);
    }

    private Call explanation(ViewPlanner.Plan plan, boolean writes) {
        return target.call(
                new Failures(type, plan.accessor().component().name(), plan.count(), writes),
                "explained", RuntimeException.class, RuntimeException.class, MemorySegment.class, long.class,
                long.class);
    }

    private void write(ClassBuilder builder) {
        builder.withInterfaceSymbols(Descriptors.of(view));
        builder.withField(SEGMENT, CD_SEGMENT, ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL);
        builder.withField(OFFSET, CD_LONG, ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL);
        builder.withMethodBody(ConstantDescs.INIT_NAME, NEW, 0, code -> code.aload(0)
                .invokespecial(CD_OBJECT, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                .aload(0)
                .aload(1)
                .putfield(target.type(), SEGMENT, CD_SEGMENT)
                .aload(0)
                .lload(2)
                .putfield(target.type(), OFFSET, CD_LONG)
                .return_());
        // A MethodHandle of a constructor makes a check for agents at each call, which stays in loops.
        builder.withMethodBody(FACTORY, CREATE, ClassFile.ACC_STATIC, code -> code.new_(target.type())
                .dup()
                .aload(0)
                .lload(1)
                .invokespecial(target.type(), ConstantDescs.INIT_NAME, NEW)
                .areturn());
        for (Methods accessor : methods) {
            accessor.plan().accessor().getters().forEach(method -> getter(builder, accessor, method));
            accessor.plan().accessor().setters().forEach(method -> setter(builder, accessor, method));
        }
        if (View.class.isAssignableFrom(view)) {
            builder.withMethodBody(SEGMENT, MethodTypeDesc.of(CD_SEGMENT), ClassFile.ACC_PUBLIC,
                    code -> place(code, 0).loadConstant(type.byteSize())
                            .invokeinterface(CD_SEGMENT, "asSlice", SLICE)
                            .areturn());
        }
        object(builder);
    }

    private void getter(ClassBuilder builder, Methods accessor, Method method) {
        ViewPlanner.Plan plan = accessor.plan();
        ClassDesc result = Descriptors.of(method.getReturnType());
        accessor(builder, plan, accessor.ofRead(), method, code -> {
            accessor.getter().load(code);
            element(code, plan);
            if (plan.handles().getter() instanceof VarHandle handle) {
                code.invokevirtual(ConstantDescs.CD_VarHandle, "get",
                        MethodTypeDesc.of(Descriptors.of(handle.varType()), CD_SEGMENT, CD_LONG));
            } else {
                code.invokevirtual(ConstantDescs.CD_MethodHandle, "invokeExact",
                        Descriptors.of((MethodHandle) plan.handles().getter()));
                if (!method.getReturnType().isPrimitive() && !method.getReturnType().isInterface()) {
                    // The verifier treats every object as an instance of every interface.
                    code.checkcast(result);
                }
            }
            code.return_(TypeKind.from(result));
        });
    }

    private void setter(ClassBuilder builder, Methods accessor, Method method) {
        ViewPlanner.Plan plan = accessor.plan();
        ClassDesc value = Descriptors.of(plan.accessor().value().type());
        accessor(builder, plan, accessor.ofWrite(), method, code -> {
            accessor.setter().load(code);
            element(code, plan);
            code.loadLocal(TypeKind.from(value), plan.count() < 0 ? 1 : 3);
            Object setter = plan.handles().setter().orElseThrow();
            if (setter instanceof VarHandle) {
                code.invokevirtual(ConstantDescs.CD_VarHandle, "set",
                        MethodTypeDesc.of(CD_VOID, CD_SEGMENT, CD_LONG, value));
            } else {
                code.invokevirtual(ConstantDescs.CD_MethodHandle, "invokeExact", Descriptors.of((MethodHandle) setter));
            }
            if (method.getReturnType() == void.class) {
                code.return_();
            } else {
                code.aload(0).areturn();
            }
        });
    }

    private interface Body {
        void write(CodeBuilder code);
    }

    /// Adds a method that completes the messages of exceptions.
    private void accessor(ClassBuilder builder, ViewPlanner.Plan plan, Call explanation, Method method, Body body) {
        boolean indexed = plan.count() >= 0;
        builder.withMethodBody(method.getName(), Descriptors.of(method), ClassFile.ACC_PUBLIC, whole -> whole.trying(
                code -> body.write(code), catches -> catches.catching(Descriptors.RUNTIME_EXCEPTION, handler -> {
                    int exception = handler.allocateLocal(TypeKind.REFERENCE);
                    handler.astore(exception);
                    explanation.begin(handler);
                    handler.aload(exception);
                    place(handler, 0);
                    if (indexed) {
                        handler.lload(1);
                    } else {
                        handler.loadConstant(-1L);
                    }
                    explanation.end(handler);
                    handler.athrow();
                })));
    }

    /// Pushes the segment, and the offset of the member or of its element.
    private void element(CodeBuilder code, ViewPlanner.Plan plan) {
        place(code, plan.offset());
        if (plan.count() >= 0) {
            code.lload(1)
                    .loadConstant(plan.count())
                    .invokestatic(Descriptors.of(Objects.class), "checkIndex", CHECK_INDEX)
                    .loadConstant(plan.stride())
                    .lmul()
                    .ladd();
        }
    }

    /// Pushes the segment and an offset within the struct.
    private CodeBuilder place(CodeBuilder code, long offset) {
        code.aload(0).getfield(target.type(), SEGMENT, CD_SEGMENT).aload(0).getfield(target.type(), OFFSET, CD_LONG);
        return offset == 0 ? code : code.loadConstant(offset).ladd();
    }

    private void object(ClassBuilder builder) {
        builder.withMethodBody("toString", MethodTypeDesc.of(ConstantDescs.CD_String), ClassFile.ACC_PUBLIC, code -> {
            text.begin(code);
            place(code, 0);
            text.end(code);
            code.areturn();
        });
        builder.withMethodBody("hashCode", MethodTypeDesc.of(ConstantDescs.CD_int), ClassFile.ACC_PUBLIC, code -> {
            hash.begin(code);
            place(code, 0);
            hash.end(code);
            code.ireturn();
        });
        builder.withMethodBody("equals", MethodTypeDesc.of(ConstantDescs.CD_boolean, CD_OBJECT), ClassFile.ACC_PUBLIC,
                this::equalsCode);
    }

    private void equalsCode(CodeBuilder code) {
        Label other = code.newLabel();
        code.aload(1).instanceOf(target.type()).ifeq(other);
        same.begin(code);
        place(code, 0).aload(1)
                .checkcast(target.type())
                .getfield(target.type(), SEGMENT, CD_SEGMENT)
                .aload(1)
                .checkcast(target.type())
                .getfield(target.type(), OFFSET, CD_LONG);
        same.end(code);
        code.ireturn()
                .labelBinding(other)
                .iconst_0()
                .ireturn();
    }
}
