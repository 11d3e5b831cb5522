package dev.arenakit.collection;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/// Runs a session with structures in which any call can throw a [StackOverflowError]: before each call
/// in their classes, it inserts a call of [#step].
public final class CallFaults extends ClassLoader {
    private static final String MODULE = "dev.arenakit.";
    private static final List<String> PACKAGES = List.of("dev.arenakit.collection.",
            "dev.arenakit.internal.collection.");
    private static final List<String> TESTS = List.of(CallFaults.class.getName(),
            StructureOverflowSession.class.getName(), CacheFaultsSession.class.getName(),
            StructModelRecords.class.getName());

    private static int callsLeft;

    private CallFaults() {
        super(CallFaults.class.getClassLoader());
    }

    /// Calls the method `faults` of a session.
    ///
    /// @param args the name of its class
    public static void main(String[] args) throws ReflectiveOperationException {
        new CallFaults().loadClass(args[0]).getDeclaredMethod("faults").invoke(null);
    }

    /// Makes a call of the structures throw an error.
    ///
    /// @param calls the number of the call from now on, or 0 for none
    static void throwAt(int calls) {
        callsLeft = calls;
    }

    /// Called before each call in the classes of the structures.
    public static void step() {
        if (callsLeft > 0 && --callsLeft == 0) {
            throw new StackOverflowError("planted");
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(MODULE)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            if (PACKAGES.stream().anyMatch(name::startsWith) && TESTS.stream().noneMatch(name::startsWith)) {
                bytes = withSteps(bytes);
            }
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static byte[] withSteps(byte[] bytes) {
        ClassDesc faults = ClassDesc.of(CallFaults.class.getName());
        MethodTypeDesc noArguments = MethodTypeDesc.of(ConstantDescs.CD_void);
        return ClassFile.of()
                .transformClass(ClassFile.of().parse(bytes),
                        ClassTransform.transformingMethodBodies((code, element) -> {
                            if (element instanceof InvokeInstruction) {
                                code.invokestatic(faults, "step", noArguments);
                            }
                            code.with(element);
                        }));
    }
}
