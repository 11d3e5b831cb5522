package dev.arenakit.internal.layout.view;

import dev.arenakit.internal.layout.declaration.UserLookup;
import dev.arenakit.internal.layout.declaration.ViewDeclaration;
import dev.arenakit.internal.layout.emit.KnownMethods;
import dev.arenakit.internal.layout.emit.MapperCache;
import dev.arenakit.internal.layout.value.RecordCodec;
import dev.arenakit.layout.type.StructType;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Finds the package in which the class of a view can be defined: the interface must be accessible from it.
///
/// With a Lookup of the user it is the package of the Lookup, or the package of the interface in the same module.
/// Without a Lookup it is a package of this library for a public interface that is exported to it, a new package for a
/// public interface that only another class loader knows, and the package of the interface if it is open to this
/// module.
final class ViewPackage {
    private static final String PROVIDER = "ArenakitViews";
    private static final String LOOKUP_METHOD = "lookup";

    private final UserLookup records;
    private final RecordCodec.Source nested;
    private final MethodHandles.Lookup ours;
    private final Set<Class<?>> viewsByLookup = new LinkedHashSet<>();

    /// @param records   has the user's Lookup, and finds the constructors of records in views
    /// @param nested    provides the mappers of these records
    /// @param ours      a Lookup of the package of this library that contains classes of views
    ViewPackage(UserLookup records, RecordCodec.Source nested, MethodHandles.Lookup ours) {
        this.records = records;
        this.nested = nested;
        this.ours = ours;
    }

    /// Returns what provides the codecs of records and references in a view.
    RecordCodec.Source nested() {
        return nested;
    }

    /// Returns the interfaces and records so far that were accessible to the user's Lookup only, the innermost first.
    List<Class<?>> reachedByLookup() {
        List<Class<?>> reached = new ArrayList<>(viewsByLookup);
        reached.addAll(records.recordsByLookup());
        return reached;
    }

    /// Checks that an interface or a record is accessible.
    ///
    /// @throws IllegalArgumentException if it is not
    void checkReach(Class<?> type) {
        if (type.isRecord()) {
            records.checkConstructor(type);
        } else {
            var _ = lookupFor(type, ViewDeclaration.typesOf(type));
        }
    }

    /// Returns a Lookup that can define hidden classes in the package.
    ///
    /// @param view  the interface
    /// @param named the classes that the class of the view refers to
    /// @throws IllegalArgumentException if there is no such package
    MethodHandles.Lookup lookupFor(Class<?> view, Collection<Class<?>> named) {
        Optional<MethodHandles.Lookup> users = records.lookup().flatMap(own -> users(own, view, named));
        if (users.isPresent()) {
            viewsByLookup.add(view);
            return users.get();
        }
        try {
            return ours(view, named);
        } catch (IllegalAccessException e) {
            throw records.inaccessible(view, e);
        }
    }

    private static Optional<MethodHandles.Lookup> users(MethodHandles.Lookup lookup, Class<?> view,
            Collection<Class<?>> named) {
        if (!lookup.hasFullPrivilegeAccess()) {
            return Optional.empty();
        }
        if (reaches(lookup, named)) {
            return Optional.of(lookup);
        }
        try {
            return Optional.of(MethodHandles.privateLookupIn(view, lookup))
                    .filter(MethodHandles.Lookup::hasFullPrivilegeAccess);
        } catch (IllegalAccessException _) {
            // The Lookup is of no use here, but a package that is open to all modules may still be accessible.
            return Optional.empty();
        }
    }

    private static boolean reaches(MethodHandles.Lookup lookup, Collection<Class<?>> named) {
        try {
            for (Class<?> type : named) {
                var _ = lookup.accessClass(type);
            }
            return true;
        } catch (IllegalAccessException _) {
            return false;
        }
    }

    private MethodHandles.Lookup ours(Class<?> view, Collection<Class<?>> named) throws IllegalAccessException {
        Module module = ViewPackage.class.getModule();
        named.forEach(type -> module.addReads(type.getModule()));
        ClassLoader loader = ViewPackage.class.getClassLoader();
        if (named.stream().allMatch(type -> isAccessible(type, module) && type == byName(type.getName(), loader))) {
            return ours;
        }
        Child child = new Child(view.getClassLoader());
        if (named.stream().allMatch(type -> isAccessible(type, child.getUnnamedModule()))) {
            module.addReads(child.getUnnamedModule());
            Class<?> provider = child.provider();
            return lookupOf(provider, MethodHandles.privateLookupIn(provider, ours));
        }
        MethodHandles.Lookup there = MethodHandles.privateLookupIn(view, ours);
        return there.hasFullPrivilegeAccess()
                ? there
                : lookupOf(MapperCache.lookupProvider(view, () -> defineProvider(view, there)), there);
    }

    /// Returns whether code of a module can refer to a class.
    private static boolean isAccessible(Class<?> type, Module module) {
        if (type.isArray()) {
            return isAccessible(type.getComponentType(), module);
        }
        // To the JVM, a protected nested class is public.
        boolean accessible = Modifier.isPublic(type.getModifiers()) || Modifier.isProtected(type.getModifiers());
        return accessible && type.getModule().isExported(type.getPackageName(), module);
    }

    private static Class<?> byName(String name, ClassLoader loader) {
        Class<?> primitive = Class.forPrimitiveName(name);
        if (primitive != null) {
            return primitive;
        }
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException _) {
            return void.class;
        }
    }

    /// Defines a class that provides a full Lookup. A Lookup of another module never has full privileges and cannot
    /// define hidden classes, but it can define an ordinary class.
    private static Class<?> defineProvider(Class<?> view, MethodHandles.Lookup there) {
        String prefix = view.getPackageName().isEmpty() ? "" : view.getPackageName() + ".";
        try {
            return there.defineClass(provider(prefix + PROVIDER + "Of" + view.getName().substring(prefix.length())));
        } catch (IllegalAccessException e) {
            throw new AssertionError("A Lookup can define classes in its package", e);
        }
    }

    private static MethodHandles.Lookup lookupOf(Class<?> provider, MethodHandles.Lookup there) {
        try {
            return Objects.requireNonNull((MethodHandles.Lookup) KnownMethods
                    .findStatic(there, provider, LOOKUP_METHOD, MethodHandles.Lookup.class)
                    .invokeExact());
        } catch (Throwable e) {
            throw new LinkageError("Class lacks the method that it was defined with: class=" + provider.getName(), e);
        }
    }

    /// The class loader of a new package, for public interfaces that only another class loader knows.
    private static final class Child extends ClassLoader {
        Child(ClassLoader parent) {
            super(parent);
        }

        Class<?> provider() {
            byte[] bytes = ViewPackage.provider(PROVIDER);
            return defineClass(PROVIDER, bytes, 0, bytes.length);
        }
    }

    private static byte[] provider(String name) {
        MethodTypeDesc type = MethodTypeDesc.of(ConstantDescs.CD_MethodHandles_Lookup);
        return ClassFile.of()
                .build(ClassDesc.of(name), builder -> builder
                        .withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER | ClassFile.ACC_SYNTHETIC)
                        .withMethodBody(LOOKUP_METHOD, type, ClassFile.ACC_STATIC,
                                code -> code.invokestatic(ConstantDescs.CD_MethodHandles, "lookup", type).areturn()));
    }
}
