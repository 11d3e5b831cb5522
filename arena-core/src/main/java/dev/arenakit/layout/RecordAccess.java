package dev.arenakit.layout;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Member;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Finds the constructors and accessors of records, with what this module may reach and what the user's Lookup may.
///
/// The handles take and give Object for every reference.
final class RecordAccess {
    /// A method takes 255, of which a constructor's handle needs one for itself and one for the new object.
    private static final int MOST_SLOTS = 253;

    private final Optional<MethodHandles.Lookup> lookup;
    private final Set<Class<?>> records = new HashSet<>();
    private final Map<Nested, RecordMapper<Object>> mappers = new HashMap<>();
    private boolean onItsOwn = true;

    private RecordAccess(Optional<MethodHandles.Lookup> lookup) {
        this.lookup = lookup;
    }

    static RecordAccess own() {
        return new RecordAccess(Optional.empty());
    }

    static RecordAccess with(MethodHandles.Lookup lookup) {
        return new RecordAccess(Optional.of(lookup));
    }

    /// The classes whose constructors were asked for.
    Set<Class<?>> records() {
        return Set.copyOf(records);
    }

    /// Whether everything so far was found without the user's Lookup.
    boolean isOnItsOwn() {
        return onItsOwn;
    }

    private record Nested(Class<?> record, StructType type) {}

    /// The mapper of a record that stands in others: one for all places where it has the same form.
    RecordMapper<Object> mapper(Class<?> record, StructType type) {
        Nested nested = new Nested(record, type);
        RecordMapper<Object> mapper = mappers.get(nested);
        if (mapper == null) {
            mapper = RecordMapperMaker.make(record, type, this);
            mappers.put(nested, mapper);
        }
        return mapper;
    }

    /// The canonical constructor.
    ///
    /// @throws IllegalArgumentException when it is out of reach
    MethodHandle constructor(Class<?> type) {
        records.add(type);
        Class<?>[] types = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        checkSlots(type, types);
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            return erased(lookupFor(constructor).unreflectConstructor(constructor));
        } catch (NoSuchMethodException e) {
            throw new AssertionError("A record has a canonical constructor", e);
        } catch (IllegalAccessException e) {
            throw OutOfReach.refusal(type, lookup, e);
        }
    }

    private static void checkSlots(Class<?> type, Class<?>[] types) {
        int slots = Arrays.stream(types)
                .mapToInt(component -> component == long.class || component == double.class
                        ? 2
                        : 1)
                .sum();
        if (slots > MOST_SLOTS) {
            throw Part.refusal(type, "Record has more components than a MethodHandle takes", "it needs " + slots
                    + " slots of " + MOST_SLOTS + ", where long and double take two; put some into a nested record");
        }
    }

    /// The accessor of a component.
    ///
    /// @throws IllegalArgumentException when it is out of reach
    MethodHandle accessor(RecordComponent component) {
        try {
            return erased(lookupFor(component.getAccessor()).unreflect(component.getAccessor()));
        } catch (IllegalAccessException e) {
            throw OutOfReach.refusal(component.getDeclaringRecord(), lookup, e);
        }
    }

    private <T extends AccessibleObject & Member> MethodHandles.Lookup lookupFor(T member) {
        if (member.trySetAccessible()) {
            return MethodHandles.publicLookup();
        }
        onItsOwn = false;
        return lookup.orElseGet(MethodHandles::publicLookup);
    }

    private static MethodHandle erased(MethodHandle handle) {
        return handle.asFixedArity().asType(handle.type().erase());
    }
}
