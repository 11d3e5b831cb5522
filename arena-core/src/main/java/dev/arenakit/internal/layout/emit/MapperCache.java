package dev.arenakit.internal.layout.emit;

import dev.arenakit.layout.type.StructType;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The mappers of all records and views. Each class holds its mappers, and they are unloaded together.
public final class MapperCache {
    private static final ClassValue<Entry> ENTRIES = new ClassValue<>() {
        @Override
        protected Entry computeValue(Class<?> type) {
            return new Entry();
        }
    };

    private MapperCache() {}

    /// Creates the mapper of a class for a caller with or without a Lookup.
    public interface Source {
        /// Creates the mapper of a class.
        ///
        /// @param struct the struct, or empty for the struct that the class declares
        Object create(Class<?> type, Optional<StructType> struct);

        /// Returns the classes so far that were accessible to the Lookup of the caller only.
        Collection<Class<?>> reachedByLookup();

        /// Checks that a class is accessible.
        ///
        /// @throws IllegalArgumentException if it is not
        void checkReach(Class<?> type);
    }

    /// Returns the mapper of a class.
    ///
    /// @param type     the record or interface
    /// @param struct   the struct, or empty for the struct that the class declares
    /// @param template the class whose copies are mappers
    /// @param source   creates the mapper if there is none
    public static Object of(Class<?> type, Optional<StructType> struct, ClassTemplate template, Source source) {
        Map<Key, Cached> mappers = ENTRIES.get(Objects.requireNonNull(type, "type")).mappers;
        Key key = new Key(template.template(), struct);
        Cached present = mappers.get(key);
        if (present == null) {
            // The mapper must exist first: its creation shows which classes were accessible to the Lookup.
            Object mapper = source.create(type, struct);
            Cached created = new Cached(mapper, List.copyOf(source.reachedByLookup()));
            present = mappers.putIfAbsent(key, created);
            return present == null ? mapper : present.mapper();
        }
        if (!present.toReach().isEmpty()) {
            for (Class<?> needed : present.toReach()) {
                source.checkReach(needed);
            }
            if (source.reachedByLookup().isEmpty()) {
                mappers.put(key, new Cached(present.mapper(), List.of()));
            }
        }
        return present.mapper();
    }

    /// Returns what references to the struct of a class share, and creates it once.
    public static Object target(Class<?> type, StructType struct, Supplier<Object> creation) {
        return ENTRIES.get(type).targets.computeIfAbsent(struct, _ -> creation.get());
    }

    /// Returns the class beside an interface that provides a Lookup, and defines it once.
    ///
    /// It cannot be found by name, because the class loader of the interface would ask its parents first.
    public static Class<?> lookupProvider(Class<?> view, Supplier<Class<?>> definition) {
        return ENTRIES.get(view).lookupProvider(definition);
    }

    private static final class Entry {
        // No mapper is created inside an operation of the map: static initialisers of the user may create mappers too.
        private final Map<Key, Cached> mappers = new ConcurrentHashMap<>();
        private final Map<StructType, Object> targets = new ConcurrentHashMap<>();
        private @Nullable Class<?> lookupProvider;

        synchronized Class<?> lookupProvider(Supplier<Class<?>> definition) {
            Class<?> present = lookupProvider;
            if (present == null) {
                present = definition.get();
                lookupProvider = present;
            }
            return present;
        }
    }

    /// @param template the class whose copy the mapper is
    private record Key(Class<?> template, Optional<StructType> struct) {}

    /// @param toReach the interfaces and records, including nested ones, that were accessible to a Lookup only; a
    ///                later caller must be able to access them, too
    private record Cached(Object mapper, List<Class<?>> toReach) {}
}
