package dev.arenakit.internal.layout.declaration;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Member;
import java.lang.reflect.RecordComponent;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// Finds the constructors and accessors of records, with the access rights of this module and of the user's Lookup.
///
/// The MethodHandles take and return Object for every reference.
public final class UserLookup {
    /// The maximum number of argument slots of a constructor. A method has 255; the MethodHandle and the new object
    /// take one each.
    private static final int MOST_SLOTS = 253;

    private final Optional<MethodHandles.Lookup> lookup;
    private final Set<Class<?>> records = new HashSet<>();
    private boolean needsNoLookup = true;

    private UserLookup(Optional<MethodHandles.Lookup> lookup) {
        this.lookup = lookup;
    }

    public static UserLookup none() {
        return new UserLookup(Optional.empty());
    }

    public static UserLookup of(MethodHandles.Lookup lookup) {
        return new UserLookup(Optional.of(lookup));
    }

    /// Returns the user's Lookup.
    public Optional<MethodHandles.Lookup> lookup() {
        return lookup;
    }

    /// Returns the records so far, if some of them were accessible to the user's Lookup only, or else none.
    public Set<Class<?>> recordsByLookup() {
        return needsNoLookup ? Set.of() : Set.copyOf(records);
    }

    /// Returns the Lookup that defines the class that reads and writes a record: in the nest of the record if this
    /// module or the user's Lookup has full access to it, or else in a package of this module.
    ///
    /// @param ours a Lookup of that package
    public MethodHandles.Lookup hostFor(Class<?> record, MethodHandles.Lookup ours) {
        ours.lookupClass().getModule().addReads(record.getModule());
        MethodHandles.Lookup host = privateLookup(record, ours);
        if (!host.hasFullPrivilegeAccess() && lookup.isPresent()) {
            host = privateLookup(record, lookup.get());
        }
        return host.hasFullPrivilegeAccess() ? host : ours;
    }

    private static MethodHandles.Lookup privateLookup(Class<?> record, MethodHandles.Lookup caller) {
        try {
            return MethodHandles.privateLookupIn(record, caller);
        } catch (IllegalAccessException _) {
            return MethodHandles.publicLookup();
        }
    }

    /// Checks that the canonical constructor is accessible.
    ///
    /// @throws IllegalArgumentException if it is not accessible
    public void checkConstructor(Class<?> type) {
        Constructor<?> constructor = canonical(type);
        if (!constructor.trySetAccessible()) {
            var _ = constructor(type);
        }
    }

    /// Returns the canonical constructor.
    ///
    /// @throws IllegalArgumentException if it is not accessible
    public MethodHandle constructor(Class<?> type) {
        Constructor<?> constructor = canonical(type);
        try {
            return erased(lookupFor(constructor).unreflectConstructor(constructor));
        } catch (IllegalAccessException e) {
            throw inaccessible(type, e);
        }
    }

    /// Returns the canonical constructor without a check of access.
    public Constructor<?> canonical(Class<?> type) {
        records.add(type);
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = components[i].getType();
        }
        checkSlots(type, types);
        try {
            return type.getDeclaredConstructor(types);
        } catch (NoSuchMethodException e) {
            throw new AssertionError("A record has a canonical constructor", e);
        }
    }

    private static void checkSlots(Class<?> type, Class<?>[] types) {
        int slots = 0;
        for (Class<?> component : types) {
            slots += component == long.class || component == double.class ? 2 : 1;
        }
        if (slots > MOST_SLOTS) {
            throw ComponentDeclaration.refusal(type, "Record has more components than a MethodHandle takes",
                    "it needs " + slots
                            + " slots of " + MOST_SLOTS
                            + ", where long and double take two; put some into a nested record");
        }
    }

    /// Returns the accessor of a component.
    ///
    /// @throws IllegalArgumentException if it is not accessible
    public MethodHandle accessor(RecordComponent component) {
        try {
            return erased(lookupFor(component.getAccessor()).unreflect(component.getAccessor()));
        } catch (IllegalAccessException e) {
            throw inaccessible(component.getDeclaringRecord(), e);
        }
    }

    /// The exception for a record or an interface that is accessible neither to this module nor to the user's Lookup.
    /// Its message names the remedy.
    public IllegalArgumentException inaccessible(Class<?> type, IllegalAccessException cause) {
        boolean view = type.isInterface();
        String module = type.getModule().isNamed() ? type.getModule().getName() : "unnamed (class path)";
        String named = "class=" + type.getName() + ", module=" + module;
        String message = lookup
                .map(given -> "Lookup cannot access the " + (view ? "interface: " : "class: ") + named + ", lookup="
                        + given
                        + "; pass the MethodHandles.lookup() of a class "
                        + (view ? "in its package" : "that may call its constructor"))
                .orElseGet(() -> (view ? "Interface" : "Class") + " is not accessible: " + named
                        + "; pass a lookup, as in of(MethodHandles.lookup(), " + type.getSimpleName()
                        + ".class), or make it public in an exported package, or open the package");
        return new IllegalArgumentException(message, cause);
    }

    private <T extends AccessibleObject & Member> MethodHandles.Lookup lookupFor(T member) {
        if (member.trySetAccessible()) {
            return MethodHandles.publicLookup();
        }
        needsNoLookup = false;
        return lookup.orElseGet(MethodHandles::publicLookup);
    }

    private static MethodHandle erased(MethodHandle handle) {
        return handle.asFixedArity().asType(handle.type().erase());
    }
}
