package dev.arenakit.internal.nativecall;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The classes that jextract has generated from a header: one class with a static method for each constant and for the
/// type of each function, and a class for each struct.
final class GeneratedHeader {
    private final Class<?> header;

    GeneratedHeader(Class<?> header) {
        this.header = header;
    }

    /// A function, without its variadic arguments.
    record Function(FunctionDescriptor type, boolean variadic) {}

    Optional<Number> constant(String name) {
        return method(header, name).filter(method -> !method.getReturnType().equals(void.class))
                .map(method -> (Number) call(method));
    }

    Optional<Function> function(String name) {
        return method(header, name + "$descriptor")
                .map(descriptor -> new Function((FunctionDescriptor) call(descriptor), false))
                .or(() -> variadic(name));
    }

    Optional<GroupLayout> struct(String name) {
        return type(header.getPackageName() + "." + name).flatMap(struct -> method(struct, "layout"))
                .map(layout -> (GroupLayout) call(layout));
    }

    /// The type of a variadic function, for given arguments. A nested class provides it.
    private Optional<Function> variadic(String name) {
        return Arrays.stream(header.getClasses())
                .filter(nested -> nested.getSimpleName().equals(name))
                .findFirst()
                .map(nested -> {
                    Object invoker = call(method(nested, "makeInvoker", MemoryLayout[].class).orElseThrow(),
                            (Object) new MemoryLayout[0]);
                    Method descriptor = method(nested, "descriptor").orElseThrow();
                    return new Function((FunctionDescriptor) callOn(invoker, descriptor), true);
                });
    }

    private Optional<Class<?>> type(String name) {
        try {
            return Optional.of(Class.forName(name, true, header.getClassLoader()));
        } catch (ClassNotFoundException _) {
            return Optional.empty();
        }
    }

    private static Optional<Method> method(Class<?> type, String name, Class<?>... parameters) {
        try {
            return Optional.of(type.getMethod(name, parameters));
        } catch (NoSuchMethodException _) {
            return Optional.empty();
        }
    }

    private static Object call(Method method, Object... arguments) {
        return callOn(null, method, arguments);
    }

    private static Object callOn(@Nullable Object target, Method method, Object... arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new LinkageError("Generated method cannot be called: " + method, e);
        }
    }
}
