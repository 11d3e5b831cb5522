package dev.arenakit.internal.layout.emit;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/// Builds a hidden class in a package of this library or of the user, with objects in its `static final` fields.
///
/// The compiler treats the values of these fields as constants, so that a VarHandle in such a field costs what it costs
/// in a class written by hand. A class in a package of the user cannot access the internal classes of this library, and
/// a class of this library can access few classes of the user. The generated code therefore calls such classes through
/// constant MethodHandles, whose types contain only classes of the JDK, with Object for every reference. The class and
/// its constants are unloaded when it is no longer reachable.
public final class HiddenClassBuilder {
    private static final ClassDesc LIST = List.class.describeConstable().orElseThrow();
    private static final ClassDesc LOOKUP = ConstantDescs.CD_MethodHandles_Lookup;

    /// Two different classes have Object as their common superclass where control flow merges. The default resolver
    /// would read class files.
    private static final ClassFile.ClassHierarchyResolverOption HIERARCHY = ClassFile.ClassHierarchyResolverOption
            .of(new Hierarchy());

    private final MethodHandles.Lookup host;
    private final ClassDesc type;
    private final List<Object> values = new ArrayList<>();
    private final List<Constant> constants = new ArrayList<>();

    /// Begins a class in the package and in the nest of the lookup class. The types of its constants must belong to the
    /// JDK if the lookup class belongs to the user.
    ///
    /// @param simpleName the name in stack traces
    public HiddenClassBuilder(MethodHandles.Lookup host, String simpleName) {
        this.host = host;
        type = ClassDesc.of(host.lookupClass().getPackageName(), simpleName);
    }

    /// A `static final` field.
    ///
    /// @param owner the class that declares it
    /// @param name  its name
    /// @param type  its type
    public record Constant(ClassDesc owner, String name, ClassDesc type) {
        /// Pushes its value.
        public void load(CodeBuilder code) {
            code.getstatic(owner, name, type);
        }
    }

    /// A method of this library that the class calls through a MethodHandle.
    ///
    /// @param handle the MethodHandle
    /// @param type   its type, which contains only types of the JDK
    public record Call(Constant handle, MethodTypeDesc type) {
        /// Begins a call. The arguments follow.
        public void begin(CodeBuilder code) {
            handle.load(code);
        }

        /// Calls the method.
        public void end(CodeBuilder code) {
            code.invokevirtual(ConstantDescs.CD_MethodHandle, "invokeExact", type);
        }
    }

    /// Returns whether the code of the class can refer to another class by its name.
    public boolean canLink(Class<?> other) {
        Class<?> element = other;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        try {
            return element.isPrimitive() || host.findClass(element.getName()) == element;
        } catch (ClassNotFoundException | IllegalAccessException | LinkageError _) {
            return false;
        }
    }

    /// Returns whether the code of the class may call a constructor. In a class file, a private nested class is
    /// package-private and a protected nested class is public, while constructors keep their flags.
    public boolean canCall(Constructor<?> constructor) {
        Class<?> owner = constructor.getDeclaringClass();
        Class<?> caller = host.lookupClass();
        int flags = constructor.getModifiers();
        boolean samePackage = owner.getPackageName().equals(caller.getPackageName())
                && Objects.equals(owner.getClassLoader(), caller.getClassLoader());
        return canLink(owner) && (owner.isNestmateOf(caller) || Modifier.isPublic(flags)
                || (samePackage && !Modifier.isPrivate(flags)));
    }

    /// Returns the name of the class.
    public ClassDesc type() {
        return type;
    }

    /// Adds a constant.
    ///
    /// @param type  the type of the field, a class of the JDK or a public class of this library
    /// @param value the value
    public <T> Constant constant(Class<? super T> type, T value) {
        values.add(value);
        Constant constant = new Constant(this.type, "C" + constants.size(), type.describeConstable().orElseThrow());
        constants.add(constant);
        return constant;
    }

    /// Adds a constant that is a VarHandle or a MethodHandle.
    public Constant constant(Object handle) {
        return handle instanceof VarHandle variable
                ? constant(VarHandle.class, variable)
                : constant(MethodHandle.class, (MethodHandle) handle);
    }

    /// Adds a call of a MethodHandle.
    public Call call(MethodHandle handle) {
        return new Call(constant(MethodHandle.class, handle), handle.type().describeConstable().orElseThrow());
    }

    /// Adds a call of a method of an object.
    public Call call(Object receiver, String name, Class<?> result, Class<?>... parameters) {
        return call(
                KnownMethods.bind(MethodHandles.lookup(), receiver, name, MethodType.methodType(result, parameters)));
    }

    /// Defines and initialises the class.
    ///
    /// @param body adds the superclass, methods and fields; it must not add constants
    /// @return a Lookup on the class
    public MethodHandles.Lookup define(Consumer<ClassBuilder> body) {
        byte[] bytes = ClassFile.of(HIERARCHY).build(type, new Definition(body));
        return define(host, bytes, List.copyOf(values));
    }

    // The next three are classes, not lambdas: the first mapper of a process needs them, and a class is loaded in less
    // time than a lambda is linked.

    private static final class Hierarchy implements ClassHierarchyResolver {
        @Override
        public ClassHierarchyInfo getClassInfo(ClassDesc type) {
            return ClassHierarchyInfo.ofClass(type.equals(ConstantDescs.CD_Object) ? null : ConstantDescs.CD_Object);
        }
    }

    private final class Definition implements Consumer<ClassBuilder> {
        private final Consumer<ClassBuilder> body;

        Definition(Consumer<ClassBuilder> body) {
            this.body = body;
        }

        @Override
        public void accept(ClassBuilder builder) {
            builder.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER | ClassFile.ACC_SYNTHETIC);
            body.accept(builder);
            int flags = ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_FINAL;
            for (Constant constant : constants) {
                builder.withField(constant.name(), constant.type(), flags);
            }
            builder.withMethodBody(ConstantDescs.CLASS_INIT_NAME, ConstantDescs.MTD_void, ClassFile.ACC_STATIC,
                    new Initialiser());
        }
    }

    private final class Initialiser implements Consumer<CodeBuilder> {
        @Override
        public void accept(CodeBuilder code) {
            code.invokestatic(ConstantDescs.CD_MethodHandles, "lookup", MethodTypeDesc.of(LOOKUP))
                    .loadConstant(ConstantDescs.DEFAULT_NAME)
                    .loadConstant(LIST)
                    .invokestatic(ConstantDescs.CD_MethodHandles, "classData",
                            MethodTypeDesc.of(ConstantDescs.CD_Object, LOOKUP, ConstantDescs.CD_String,
                                    ConstantDescs.CD_Class))
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
    }

    static MethodHandles.Lookup define(MethodHandles.Lookup host, byte[] bytes, Object classData) {
        try {
            return host.defineHiddenClassWithClassData(bytes, classData, true,
                    MethodHandles.Lookup.ClassOption.NESTMATE);
        } catch (IllegalAccessException e) {
            throw new AssertionError("A Lookup can define classes in its package", e);
        }
    }
}
