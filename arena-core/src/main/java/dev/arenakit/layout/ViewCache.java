package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The mappers of views there are, each held by the interface that it maps, and so unloaded with it.
final class ViewCache {
    private static final ClassValue<Entry> ENTRIES = new ClassValue<>() {
        @Override
        protected Entry computeValue(Class<?> type) {
            return new Entry(type);
        }
    };

    private ViewCache() {}

    @SuppressWarnings("unchecked") // The mapper of an interface makes views of it.
    static <V> ViewMapper<V> of(Class<V> type, Optional<StructType> struct, ViewHost host) {
        return (ViewMapper<V>) ENTRIES.get(Objects.requireNonNull(type, "type")).mapper(struct, host);
    }

    /// The class that is planted beside an interface, once.
    ///
    /// It is not to be found by its name: the loader of the interface would ask its parents first.
    static Class<?> planted(Class<?> view, Supplier<Class<?>> plant) {
        return ENTRIES.get(view).planted(plant);
    }

    private static final class Entry {
        private final Class<?> type;
        private @Nullable Class<?> planted;
        // Nothing is made while this is locked: static initialisers of the user may run then, and make mappers, too.
        private final Map<Optional<StructType>, Made> mappers = new ConcurrentHashMap<>();

        Entry(Class<?> type) {
            this.type = type;
        }

        synchronized Class<?> planted(Supplier<Class<?>> plant) {
            Class<?> present = planted;
            if (present == null) {
                present = plant.get();
                planted = present;
            }
            return present;
        }

        ViewMapper<?> mapper(Optional<StructType> struct, ViewHost host) {
            Made present = mappers.get(struct);
            if (present == null) {
                // Not within the call: what was reached is known when the mapper has been made.
                ViewMapper<?> mapper = make(type, struct, host);
                Made made = new Made(mapper, host.reachedByLookup());
                present = mappers.putIfAbsent(struct, made);
                return present == null ? mapper : present.mapper();
            }
            if (!present.toShow().isEmpty()) {
                present.toShow().forEach(host::show);
                if (host.reachedByLookup().isEmpty()) {
                    mappers.put(struct, new Made(present.mapper(), List.of()));
                }
            }
            return present.mapper();
        }
    }

    /// @param mapper the mapper
    /// @param toShow the interfaces and records that were reached by somebody's Lookup, nested ones among them: whoever asks
    ///               next shows that they are within his reach
    private record Made(ViewMapper<?> mapper, List<Class<?>> toShow) {}

    private static ViewMapper<?> make(Class<?> type, Optional<StructType> given, ViewHost host) {
        ViewReader.checkView(type);
        StructType struct = given.orElseGet(() -> new TypeReader(ViewReader::partsOf).read(type));
        if (struct.byteSize() == 0) {
            throw Part.refusal(type, "Struct has no size", "there would be no end of views in a segment: struct="
                    + struct.name() + ", byteSize=0; give it a member that has one");
        }
        ViewClass view = ViewClass.of(type, struct, host);
        MethodHandle cursor = constructor(MappedCursor.class,
                new ViewPlan(struct, view.constructor(), view.mover(), view.constructor()),
                MethodType.methodType(void.class, MemorySegment.class, Object.class));
        MethodHandle mapper = constructor(MappedView.class,
                new ViewPlan(struct, view.constructor(), view.mover(), cursor), MethodType.methodType(void.class));
        try {
            return (ViewMapper<?>) Objects.requireNonNull((Object) mapper.invokeExact());
        } catch (Throwable e) {
            throw new AssertionError("The constructor of a mapper only stores its arguments", e);
        }
    }

    private static MethodHandle constructor(Class<?> template, ViewPlan plan, MethodType type) {
        try {
            MethodHandles.Lookup copy = HiddenClass.copyOf(template, plan);
            MethodHandle constructor = copy.findConstructor(copy.lookupClass(), type);
            return constructor.asType(constructor.type().changeReturnType(Object.class));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("A copy has the constructor of its template", e);
        }
    }
}
