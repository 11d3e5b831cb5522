package dev.arenakit.layout;

import dev.arenakit.layout.type.StructType;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Objects;

/// Generates the class of a record mapper, and creates its only instance.
///
/// Each mapper has its own code for each of its methods. The profiles of different record classes are therefore
/// separate.
final class RecordClassEmitter {
    private static final ClassDesc MAPPER = RecordReadEmitter.descriptor(RecordMapper.class);
    private static final ClassDesc FAILURES = RecordReadEmitter.descriptor(AccessExceptions.class);
    private static final ClassDesc SHORT = RecordReadEmitter.descriptor(ShortStructs.class);
    private static final ClassDesc RUNTIME_EXCEPTION = RecordReadEmitter.descriptor(RuntimeException.class);
    private static final ClassDesc SEGMENT = RecordReadEmitter.SEGMENT;
    private static final ClassDesc LONG = ConstantDescs.CD_long;
    private static final ClassDesc VOID = ConstantDescs.CD_void;
    private static final ClassDesc STRUCT_TYPE = RecordReadEmitter.descriptor(StructType.class);
    private static final MethodTypeDesc NEW = MethodTypeDesc.of(VOID, STRUCT_TYPE,
            ConstantDescs.CD_Class);
    private static final MethodTypeDesc READ = RecordMethodEmitter.READ;
    private static final MethodTypeDesc WRITE = RecordMethodEmitter.WRITE;
    private static final MethodTypeDesc FAILURE = MethodTypeDesc.of(RUNTIME_EXCEPTION, RUNTIME_EXCEPTION, MAPPER,
            SEGMENT, LONG);

    private final HiddenClassBuilder target;
    private final StructType type;

    private RecordClassEmitter(HiddenClassBuilder target, StructType type) {
        this.target = target;
        this.type = type;
    }

    /// Creates a mapper.
    ///
    /// @param record the record class
    /// @param type   the struct
    /// @param lookup finds the constructors and accessors
    /// @throws IllegalArgumentException if a constructor or an accessor is not accessible
    static RecordMapper<Object> emit(Class<?> record, StructType type, UserLookup lookup) {
        HiddenClassBuilder target = new HiddenClassBuilder("MapperOf" + record.getSimpleName());
        RecordPlanner.Plan plan = RecordPlanner.of(target, record, type, lookup);
        RecordClassEmitter emitter = new RecordClassEmitter(target, type);
        return emitter.instance(record, target.define(builder -> emitter.methods(builder, plan)));
    }

    @SuppressWarnings("unchecked") // The generated class extends RecordMapper.
    private RecordMapper<Object> instance(Class<?> record, MethodHandles.Lookup lookup) {
        try {
            return (RecordMapper<Object>) Objects.requireNonNull((Object) HiddenClassBuilder
                    .constructor(lookup, StructType.class, Class.class)
                    .invokeExact(type, record));
        } catch (Throwable e) {
            throw new AssertionError("The constructor of a mapper cannot throw", e);
        }
    }

    private void methods(ClassBuilder builder, RecordPlanner.Plan plan) {
        builder.withSuperclass(MAPPER);
        builder.withMethodBody(ConstantDescs.INIT_NAME, NEW, 0, code -> code.aload(0)
                .aload(1)
                .aload(2)
                .invokespecial(MAPPER, ConstantDescs.INIT_NAME, NEW)
                .return_());
        builder.withMethodBody("byteSize", MethodTypeDesc.of(LONG), ClassFile.ACC_PUBLIC,
                code -> code.loadConstant(type.byteSize()).lreturn());
        new RecordMethodEmitter(builder, target.type(), type, plan).add();
        access(builder, "getAtIndex", READ, true);
        access(builder, "get", READ, false);
        access(builder, "setAtIndex", WRITE, true);
        access(builder, "set", WRITE, false);
    }

    /// Adds a method that calls `read` or `write`, and that completes the messages of their exceptions.
    private void access(ClassBuilder builder, String name, MethodTypeDesc signature, boolean byIndex) {
        boolean reads = signature.equals(READ);
        builder.withMethodBody(name, signature, ClassFile.ACC_PUBLIC, code -> code.trying(body -> {
            body.aload(1).lload(2);
            if (byIndex) {
                // The product overflows from this bound on. It is a constant, so that the compiler removes the check in
                // loops.
                body.loadConstant(Long.MAX_VALUE / type.byteSize())
                        .invokestatic(RecordReadEmitter.descriptor(Objects.class), "checkIndex",
                                MethodTypeDesc.of(LONG, LONG, LONG))
                        .loadConstant(type.byteSize())
                        .lmul();
            }
            if (!reads) {
                body.aload(4);
            }
            body.invokestatic(target.type(), reads ? "read" : "write", signature)
                    .return_(reads ? TypeKind.REFERENCE : TypeKind.VOID);
        }, catches -> catches.catching(RUNTIME_EXCEPTION,
                handler -> handle(handler, reads, (reads ? "read" : "write") + (byIndex ? "AtIndex" : "AtOffset")))));
    }

    private void handle(CodeBuilder handler, boolean reads, String method) {
        handler.aload(0).aload(1).lload(2);
        if (!ShortStructs.exist(type)) {
            handler.invokestatic(FAILURES, method, FAILURE).athrow();
        } else if (reads) {
            handler.invokestatic(SHORT, method, FAILURE.changeReturnType(ConstantDescs.CD_Object)).areturn();
        } else {
            handler.aload(4)
                    .invokestatic(SHORT, method, FAILURE.changeReturnType(VOID)
                            .insertParameterTypes(FAILURE.parameterCount(), ConstantDescs.CD_Object))
                    .return_();
        }
    }
}
