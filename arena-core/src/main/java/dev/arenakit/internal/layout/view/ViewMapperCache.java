package dev.arenakit.internal.layout.view;

import dev.arenakit.internal.layout.declaration.ComponentDeclaration;
import dev.arenakit.internal.layout.declaration.DeclaredTargets;
import dev.arenakit.internal.layout.declaration.StructTypeReader;
import dev.arenakit.internal.layout.declaration.UserLookup;
import dev.arenakit.internal.layout.declaration.ViewDeclaration;
import dev.arenakit.internal.layout.emit.ClassTemplate;
import dev.arenakit.internal.layout.value.RecordCodec;
import dev.arenakit.layout.type.StructType;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The mappers of all views. Each interface holds its mappers, and they are unloaded together.
public final class ViewMapperCache {
    private static final ClassValue<Entry> ENTRIES = new ClassValue<>() {
        @Override
        protected Entry computeValue(Class<?> type) {
            return new Entry(type);
        }
    };

    private ViewMapperCache() {}

    /// Returns the mapper of an interface.
    ///
    /// @param struct   the struct, or empty for the struct that the interface declares
    /// @param template the class of mappers: the class data of its copies is a [ViewClassData]
    /// @param records  finds the constructors of records in views
    /// @param nested   provides the mappers of these records
    /// @return a copy of the template
    public static Object of(Class<?> type, Optional<StructType> struct, ClassTemplate template, UserLookup records,
            RecordCodec.Source nested) {
        ViewPackage viewPackage = new ViewPackage(records, nested, template.host(), ViewMapperCache::lookupProvider);
        return ENTRIES.get(Objects.requireNonNull(type, "type")).mapper(struct, template, viewPackage);
    }

    /// Returns the class beside an interface that provides a Lookup, and defines it once.
    ///
    /// It cannot be found by name, because the class loader of the interface would ask its parents first.
    private static Class<?> lookupProvider(Class<?> view, Supplier<Class<?>> definition) {
        return ENTRIES.get(view).lookupProvider(definition);
    }

    private static final class Entry {
        private final Class<?> type;
        private @Nullable Class<?> lookupProvider;
        // No mapper is created inside an operation of the map: static initialisers of the user may create mappers too.
        private final Map<Optional<StructType>, Cached> mappers = new ConcurrentHashMap<>();

        Entry(Class<?> type) {
            this.type = type;
        }

        synchronized Class<?> lookupProvider(Supplier<Class<?>> definition) {
            Class<?> present = lookupProvider;
            if (present == null) {
                present = definition.get();
                lookupProvider = present;
            }
            return present;
        }

        Object mapper(Optional<StructType> struct, ClassTemplate template, ViewPackage viewPackage) {
            Cached present = mappers.get(struct);
            if (present == null) {
                // The mapper must exist first: its creation shows which classes were accessible to the Lookup.
                Object mapper = create(type, struct, template, viewPackage);
                Cached cached = new Cached(mapper, viewPackage.reachedByLookup());
                present = mappers.putIfAbsent(struct, cached);
                return present == null ? mapper : present.mapper();
            }
            if (!present.toReach().isEmpty()) {
                present.toReach().forEach(viewPackage::checkReach);
                if (viewPackage.reachedByLookup().isEmpty()) {
                    mappers.put(struct, new Cached(present.mapper(), List.of()));
                }
            }
            return present.mapper();
        }
    }

    /// @param mapper  the mapper
    /// @param toReach the interfaces and records, including nested ones, that were accessible to a Lookup only: a later
    ///                caller must be able to access them too
    private record Cached(Object mapper, List<Class<?>> toReach) {}

    private static Object create(Class<?> type, Optional<StructType> given, ClassTemplate template,
            ViewPackage viewPackage) {
        ViewDeclaration.checkView(type);
        StructType struct = given.orElseGet(() -> new StructTypeReader(ViewDeclaration::componentsOf).read(type));
        if (struct.byteSize() == 0) {
            throw ComponentDeclaration.refusal(type, "Struct has no size",
                    "the number of views in a segment would be infinite: struct="
                            + struct.name() + ", byteSize=0; give it a member that has one");
        }
        ViewClass view = ViewClass.of(type, DeclaredTargets.of(struct, type), viewPackage);
        MethodHandle mapper = template.copy(new ViewClassData(struct, type, view));
        try {
            return Objects.requireNonNull((Object) mapper.invokeExact());
        } catch (Throwable e) {
            throw new AssertionError("The constructor of a mapper cannot throw", e);
        }
    }
}
