package dev.arenakit.layout;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Objects;

/// Makes the class of a mapper, and its only instance.
///
/// Each mapper has code of its own for each of its methods, and so a profile of its own: what the compiler learns about one
/// record class is not lost among others.
final class RecordMapperMaker {
    private static final ClassDesc MAPPER = RecordCode.descriptor(RecordMapper.class);
    private static final ClassDesc FAILURES = RecordCode.descriptor(AccessFailures.class);
    private static final ClassDesc RUNTIME_EXCEPTION = RecordCode.descriptor(RuntimeException.class);
    private static final ClassDesc SEGMENT = RecordCode.SEGMENT;
    private static final ClassDesc LONG = ConstantDescs.CD_long;
    private static final ClassDesc VOID = ConstantDescs.CD_void;
    private static final ClassDesc STRUCT_TYPE = RecordCode.descriptor(StructType.class);
    private static final MethodTypeDesc NEW = MethodTypeDesc.of(VOID, STRUCT_TYPE);
    private static final MethodTypeDesc READ = RecordMethods.READ;
    private static final MethodTypeDesc WRITE = RecordMethods.WRITE;
    private static final MethodTypeDesc FAILURE = MethodTypeDesc.of(RUNTIME_EXCEPTION, RUNTIME_EXCEPTION, MAPPER,
            SEGMENT, LONG);

    private final HiddenClass target;
    private final StructType type;

    private RecordMapperMaker(HiddenClass target, StructType type) {
        this.target = target;
        this.type = type;
    }

    /// A mapper of a record class.
    ///
    /// @param record the class
    /// @param type   what it is in memory
    /// @param access how its constructors and accessors are found
    /// @throws IllegalArgumentException when these are out of reach
    static RecordMapper<Object> make(Class<?> record, StructType type, RecordAccess access) {
        HiddenClass target = new HiddenClass("MapperOf" + record.getSimpleName());
        RecordNode.Struct root = RecordPlan.of(target, record, type, access);
        RecordMapperMaker maker = new RecordMapperMaker(target, type);
        return maker.instance(target.define(builder -> maker.methods(builder, root)));
    }

    @SuppressWarnings("unchecked") // The class that was just made extends it.
    private RecordMapper<Object> instance(MethodHandles.Lookup lookup) {
        try {
            return (RecordMapper<Object>) Objects.requireNonNull((Object) lookup
                    .findConstructor(lookup.lookupClass(), MethodType.methodType(void.class, StructType.class))
                    .invoke(type));
        } catch (Throwable e) {
            throw new AssertionError("The constructor of a mapper only stores its arguments", e);
        }
    }

    private void methods(ClassBuilder builder, RecordNode.Struct root) {
        builder.withSuperclass(MAPPER);
        builder.withMethodBody(ConstantDescs.INIT_NAME, NEW, 0, code -> code.aload(0)
                .aload(1)
                .invokespecial(MAPPER, ConstantDescs.INIT_NAME, NEW)
                .return_());
        builder.withMethodBody("byteSize", MethodTypeDesc.of(LONG), ClassFile.ACC_PUBLIC,
                code -> code.loadConstant(type.byteSize()).lreturn());
        new RecordMethods(builder, target, type, root).add();
        access(builder, "get", READ, true);
        access(builder, "getAt", READ, false);
        access(builder, "set", WRITE, true);
        access(builder, "setAt", WRITE, false);
    }

    /// A method that calls `read` or `write`, and explains what they throw.
    private void access(ClassBuilder builder, String name, MethodTypeDesc signature, boolean byIndex) {
        boolean reads = signature.equals(READ);
        builder.withMethodBody(name, signature, ClassFile.ACC_PUBLIC, code -> code.trying(body -> {
            body.aload(1).lload(2);
            if (byIndex) {
                // Beyond this bound the product overflows; it is constant, so that the compiler drops the check in loops.
                body.loadConstant(Long.MAX_VALUE / type.byteSize())
                        .invokestatic(RecordCode.descriptor(Objects.class), "checkIndex",
                                MethodTypeDesc.of(LONG, LONG, LONG))
                        .loadConstant(type.byteSize())
                        .lmul();
            }
            if (!reads) {
                body.aload(4);
            }
            body.invokestatic(target.type(), reads ? "read" : "write", signature)
                    .return_(reads ? TypeKind.REFERENCE : TypeKind.VOID);
        }, catches -> catches.catching(RUNTIME_EXCEPTION, handler -> handler.aload(0)
                .aload(1)
                .lload(2)
                .invokestatic(FAILURES, byIndex ? "atIndex" : "atOffset", FAILURE)
                .athrow())));
    }
}
