package dev.arenakit.internal.layout.emit;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/// Finds methods, fields and constructors that exist, because this library has declared or generated them.
public final class KnownMethods {
    private KnownMethods() {}

    /// Finds a member.
    private interface Search {
        MethodHandle find() throws ReflectiveOperationException;
    }

    /// Returns a method of an object, which is bound.
    public static MethodHandle bind(MethodHandles.Lookup lookup, Object receiver, String name, MethodType type) {
        return found(name, () -> lookup.bind(receiver, name, type));
    }

    /// Returns a method of a class or an interface.
    public static MethodHandle findVirtual(MethodHandles.Lookup lookup, Class<?> owner, String name, MethodType type) {
        return found(name, () -> lookup.findVirtual(owner, name, type));
    }

    /// Returns a static method.
    public static MethodHandle findStatic(MethodHandles.Lookup lookup, Class<?> owner, String name, Class<?> result,
            Class<?>... parameters) {
        return found(name, () -> lookup.findStatic(owner, name, MethodType.methodType(result, parameters)));
    }

    /// Returns the getter of a field of the lookup class.
    public static MethodHandle findGetter(MethodHandles.Lookup lookup, String name, Class<?> type) {
        return found(name, () -> lookup.findGetter(lookup.lookupClass(), name, type));
    }

    /// Returns a constructor of the lookup class, as a MethodHandle that returns Object.
    public static MethodHandle findConstructor(MethodHandles.Lookup lookup, Class<?>... parameters) {
        MethodHandle constructor = found("constructor", () -> lookup.findConstructor(lookup.lookupClass(),
                MethodType.methodType(void.class, parameters)));
        return constructor.asType(constructor.type().changeReturnType(Object.class));
    }

    private static MethodHandle found(String name, Search search) {
        try {
            return search.find();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("Class lacks a member that it was defined with: name=" + name, e);
        }
    }
}
