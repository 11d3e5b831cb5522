package dev.arenakit.layout;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Finds the package in which the class of a view can be made: one from where the interface is accessible.
///
/// With a Lookup of the user that is its package, or that of the interface in the same module. Without one it is this package
/// for public interfaces that are exported to it, a package of its own for those that only another loader knows, and
/// that of the interface if it is open to this module.
final class ViewHost {
    private static final String PLANTED = "ArenakitViews";
    private static final String GIVE = "lookup";

    /// The user's.
    private final Optional<MethodHandles.Lookup> lookup;
    private final RecordAccess records;
    private final Set<Class<?>> viewsByLookup = new LinkedHashSet<>();

    private ViewHost(Optional<MethodHandles.Lookup> lookup) {
        this.lookup = lookup;
        this.records = lookup.map(RecordAccess::with).orElseGet(RecordAccess::own);
    }

    static ViewHost own() {
        return new ViewHost(Optional.empty());
    }

    static ViewHost of(MethodHandles.Lookup lookup) {
        return new ViewHost(Optional.of(Objects.requireNonNull(lookup, "lookup")));
    }

    /// What finds the constructors of records within the views.
    RecordAccess records() {
        return records;
    }

    /// The interfaces and records that were reached by the user's Lookup so far, the innermost first.
    List<Class<?>> reachedByLookup() {
        List<Class<?>> reached = new ArrayList<>(viewsByLookup);
        if (!records.isOnItsOwn()) {
            reached.addAll(records.records());
        }
        return List.copyOf(reached);
    }

    /// Shows that an interface or a record is within reach.
    ///
    /// @throws IllegalArgumentException when it is not
    void show(Class<?> type) {
        if (type.isRecord()) {
            var _ = records.constructor(type);
        } else {
            var _ = lookupFor(type, ViewReader.typesOf(type));
        }
    }

    /// A lookup that may define hidden classes in such a package.
    ///
    /// @param view  the interface
    /// @param named what is named in the class
    /// @throws IllegalArgumentException when no package is known
    MethodHandles.Lookup lookupFor(Class<?> view, Collection<Class<?>> named) {
        Optional<MethodHandles.Lookup> users = lookup.flatMap(own -> users(own, view, named));
        if (users.isPresent()) {
            viewsByLookup.add(view);
            return users.get();
        }
        try {
            return ours(view, named);
        } catch (IllegalAccessException e) {
            throw OutOfReach.refusal(view, lookup, e);
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
            // It is worth nothing here; what is open to all may still be reached.
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

    private static MethodHandles.Lookup ours(Class<?> view, Collection<Class<?>> named) throws IllegalAccessException {
        Module module = ViewHost.class.getModule();
        named.forEach(type -> module.addReads(type.getModule()));
        ClassLoader loader = ViewHost.class.getClassLoader();
        if (named.stream().allMatch(type -> isAccessible(type, module) && type == byName(type.getName(), loader))) {
            return MethodHandles.lookup();
        }
        Child child = new Child(view.getClassLoader());
        if (named.stream().allMatch(type -> isAccessible(type, child.getUnnamedModule()))) {
            module.addReads(child.getUnnamedModule());
            Class<?> giver = child.giver();
            return given(giver, MethodHandles.privateLookupIn(giver, MethodHandles.lookup()));
        }
        MethodHandles.Lookup there = MethodHandles.privateLookupIn(view, MethodHandles.lookup());
        return there.hasFullPrivilegeAccess() ? there : given(ViewCache.planted(view, () -> plant(view, there)), there);
    }

    /// Whether code of a module may name a class.
    private static boolean isAccessible(Class<?> type, Module module) {
        if (type.isArray()) {
            return isAccessible(type.getComponentType(), module);
        }
        // A nested class that is protected is public to the JVM.
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

    /// A lookup of another module is never a full one, and so cannot define hidden classes. It can define one that is not
    /// hidden, and that has a full lookup to give.
    private static Class<?> plant(Class<?> view, MethodHandles.Lookup there) {
        String prefix = view.getPackageName().isEmpty() ? "" : view.getPackageName() + ".";
        try {
            return there.defineClass(giver(prefix + PLANTED + "Of" + view.getName().substring(prefix.length())));
        } catch (IllegalAccessException e) {
            throw new AssertionError("A package may define classes in itself", e);
        }
    }

    private static MethodHandles.Lookup given(Class<?> giver, MethodHandles.Lookup there) {
        try {
            MethodType type = MethodType.methodType(MethodHandles.Lookup.class);
            return Objects.requireNonNull((MethodHandles.Lookup) there.findStatic(giver, GIVE, type).invokeExact());
        } catch (Throwable e) {
            throw new LinkageError("Class has the method that it was made for: class=" + giver.getName(), e);
        }
    }

    /// A place of its own for classes of public interfaces that only another loader knows.
    private static final class Child extends ClassLoader {
        Child(ClassLoader parent) {
            super(parent);
        }

        Class<?> giver() {
            byte[] bytes = ViewHost.giver(PLANTED);
            return defineClass(PLANTED, bytes, 0, bytes.length);
        }
    }

    private static byte[] giver(String name) {
        MethodTypeDesc type = MethodTypeDesc.of(ConstantDescs.CD_MethodHandles_Lookup);
        return ClassFile.of()
                .build(ClassDesc.of(name), builder -> builder
                        .withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER | ClassFile.ACC_SYNTHETIC)
                        .withMethodBody(GIVE, type, ClassFile.ACC_STATIC,
                                code -> code.invokestatic(ConstantDescs.CD_MethodHandles, "lookup", type).areturn()));
    }
}
