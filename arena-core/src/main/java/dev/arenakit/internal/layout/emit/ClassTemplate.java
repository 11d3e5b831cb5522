package dev.arenakit.internal.layout.emit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Objects;

/// A class of the library that is copied into hidden classes.
///
/// The template was compiled as any other class, and its static initialiser takes its constants from the class data.
/// Each copy has its own constants and its own profile.
///
/// @param host     a Lookup of the package that contains the template, and in which copies are defined
/// @param template the class to copy, which itself is never initialised
public record ClassTemplate(MethodHandles.Lookup host, Class<?> template) {
    /// Defines a copy, and returns its constructor.
    ///
    /// @param classData  the class data of the copy
    /// @param parameters the parameter types of the constructor
    /// @return the constructor, which returns Object
    public MethodHandle copy(Object classData, Class<?>... parameters) {
        String name = template.getName().substring(template.getPackageName().length() + 1) + ".class";
        try (InputStream in = template.getResourceAsStream(name)) {
            if (in == null) {
                throw new LinkageError("Class file of the library cannot be read: class=" + template.getName()
                        + "; its class loader must give class files as resources");
            }
            MethodHandles.Lookup copy = HiddenClassBuilder.define(host, in.readAllBytes(), classData);
            return KnownMethods.findConstructor(copy, parameters);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Defines a copy, and returns its only object. Its constructor takes no arguments.
    ///
    /// @param classData the class data of the copy
    public Object instance(Object classData) {
        MethodHandle constructor = copy(classData);
        try {
            return Objects.requireNonNull((Object) constructor.invokeExact());
        } catch (Throwable e) {
            throw new AssertionError("The constructor of a mapper cannot throw", e);
        }
    }

    /// Returns the class data of a copy, for its static initialiser.
    public static <T> T classData(MethodHandles.Lookup lookup, Class<T> type) {
        try {
            return Objects.requireNonNull(MethodHandles.classData(lookup, ConstantDescs.DEFAULT_NAME, type));
        } catch (IllegalAccessException e) {
            throw new AssertionError("A class can read its own class data", e);
        }
    }
}
