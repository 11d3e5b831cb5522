package dev.arenakit.layout;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/// A hidden class of this package that is being made, and the objects it holds in `static final` fields.
///
/// What stands in such a field is a constant for the compiler, so that a VarHandle in it costs what it costs in a class
/// written by hand. The class lives in this package, where nothing of the user's is accessible: it reaches the user's classes
/// through MethodHandles among its constants alone, whose types are erased to Object. That is what lets it serve classes of
/// any module and loader. It is unloaded when nobody holds it any more, and its constants with it.
final class HiddenClass {
    private static final ClassDesc LIST = List.class.describeConstable().orElseThrow();
    private static final ClassDesc LOOKUP = ConstantDescs.CD_MethodHandles_Lookup;

    private final MethodHandles.Lookup host;
    private final ClassDesc type;
    private final List<Object> values = new ArrayList<>();
    private final List<Constant> constants = new ArrayList<>();

    /// @param simpleName what stack traces show
    HiddenClass(String simpleName) {
        this(MethodHandles.lookup(), simpleName);
    }

    /// A class of the package of a lookup, which may define it there, and whose constants are of types of the JDK.
    HiddenClass(MethodHandles.Lookup host, String simpleName) {
        this.host = host;
        type = ClassDesc.of(host.lookupClass().getPackageName(), simpleName);
    }

    /// A `static final` field.
    ///
    /// @param owner the class it stands in
    /// @param name  its name
    /// @param type  its type
    record Constant(ClassDesc owner, String name, ClassDesc type) {
        /// Pushes its value.
        void load(CodeBuilder code) {
            code.getstatic(owner, name, type);
        }
    }

    /// The name of the class, for code inside it.
    ClassDesc type() {
        return type;
    }

    /// Adds an object that code inside the class needs.
    ///
    /// @param type  the type of the field: of the JDK or of this package
    /// @param value its value
    <T> Constant constant(Class<? super T> type, T value) {
        values.add(value);
        Constant constant = new Constant(this.type, "C" + constants.size(), type.describeConstable().orElseThrow());
        constants.add(constant);
        return constant;
    }

    /// Makes the class.
    ///
    /// @param body adds superclass, methods and fields; asks for no constant that was not there before
    /// @return a lookup on the class, which is initialised
    MethodHandles.Lookup define(Consumer<ClassBuilder> body) {
        byte[] bytes = ClassFile.of().build(type, builder -> {
            builder.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER | ClassFile.ACC_SYNTHETIC);
            body.accept(builder);
            int flags = ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_FINAL;
            constants.forEach(constant -> builder.withField(constant.name(), constant.type(), flags));
            builder.withMethodBody(ConstantDescs.CLASS_INIT_NAME, ConstantDescs.MTD_void, ClassFile.ACC_STATIC,
                    this::initialise);
        });
        return define(host, bytes, List.copyOf(values));
    }

    private void initialise(CodeBuilder code) {
        code.invokestatic(ConstantDescs.CD_MethodHandles, "lookup", MethodTypeDesc.of(LOOKUP))
                .loadConstant(ConstantDescs.DEFAULT_NAME)
                .loadConstant(LIST)
                .invokestatic(ConstantDescs.CD_MethodHandles, "classData", MethodTypeDesc.of(ConstantDescs.CD_Object,
                        LOOKUP, ConstantDescs.CD_String, ConstantDescs.CD_Class))
                .checkcast(LIST)
                .astore(0);
        for (int i = 0; i < constants.size(); i++) {
            Constant constant = constants.get(i);
            code.aload(0)
                    .loadConstant(i)
                    .invokeinterface(LIST, "get", MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_int))
                    .checkcast(constant.type())
                    .putstatic(type, constant.name(), constant.type());
        }
        code.return_();
    }

    /// A copy of a class of this package, which was compiled as any other and takes its constants from `classData` when it
    /// is initialised. Each copy has a profile of its own, and constants of its own.
    ///
    /// @param template  the class, which itself is never initialised
    /// @param classData what the copy finds as its class data
    /// @return a lookup on the copy
    static MethodHandles.Lookup copyOf(Class<?> template, Object classData) {
        String name = template.getName().substring(template.getPackageName().length() + 1) + ".class";
        try (InputStream in = Objects.requireNonNull(template.getResourceAsStream(name), name)) {
            return define(MethodHandles.lookup(), in.readAllBytes(), classData);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MethodHandles.Lookup define(MethodHandles.Lookup host, byte[] bytes, Object classData) {
        try {
            return host.defineHiddenClassWithClassData(bytes, classData, true);
        } catch (IllegalAccessException e) {
            throw new AssertionError("A package may define classes in itself", e);
        }
    }

    /// The class data of a copy, for its static initialiser.
    static <T> T classData(MethodHandles.Lookup lookup, Class<T> type) {
        try {
            return Objects.requireNonNull(MethodHandles.classData(lookup, ConstantDescs.DEFAULT_NAME, type));
        } catch (IllegalAccessException e) {
            throw new AssertionError("A class may read its own data", e);
        }
    }
}
