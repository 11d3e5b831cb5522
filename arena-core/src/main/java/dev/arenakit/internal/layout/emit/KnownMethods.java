package dev.arenakit.internal.layout.emit;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/// Finds methods, fields and constructors that exist, because this library has declared or generated them.
public final class KnownMethods {
    private KnownMethods() {}

    /// Returns a method of an object, which is bound.
    public static MethodHandle bind(MethodHandles.Lookup lookup, Object receiver, String name, MethodType type) {
        try {
            return lookup.bind(receiver, name, type);
        } catch (ReflectiveOperationException e) {
            throw missing(name, e);
        }
    }

    /// Returns a static method.
    public static MethodHandle findStatic(MethodHandles.Lookup lookup, Class<?> owner, String name, Class<?> result,
            Class<?>... parameters) {
        try {
            return lookup.findStatic(owner, name, MethodType.methodType(result, parameters));
        } catch (ReflectiveOperationException e) {
            throw missing(name, e);
        }
    }

    /// Returns the getter of a field of the lookup class.
    public static MethodHandle findGetter(MethodHandles.Lookup lookup, String name, Class<?> type) {
        try {
            return lookup.findGetter(lookup.lookupClass(), name, type);
        } catch (ReflectiveOperationException e) {
            throw missing(name, e);
        }
    }

    /// Returns a constructor of the lookup class, as a MethodHandle that returns Object.
    public static MethodHandle findConstructor(MethodHandles.Lookup lookup, Class<?>... parameters) {
        try {
            MethodHandle constructor = lookup.findConstructor(lookup.lookupClass(),
                    MethodType.methodType(void.class, parameters));
            return constructor.asType(constructor.type().changeReturnType(Object.class));
        } catch (ReflectiveOperationException e) {
            throw missing("constructor", e);
        }
    }

    private static LinkageError missing(String name, ReflectiveOperationException cause) {
        return new LinkageError("Class lacks a member that it was defined with: name=" + name, cause);
    }
}
