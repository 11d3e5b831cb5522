package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.declaration.GivenStruct;
import dev.arenakit.internal.layout.declaration.StructTypeReader;
import dev.arenakit.internal.layout.declaration.UserLookup;
import dev.arenakit.internal.layout.value.RecordCodec;
import dev.arenakit.layout.type.StructType;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The mappers of all record classes. Each record class holds its mapper, and both are unloaded together.
public final class RecordMapperCache {
    private static final ClassValue<Entry> ENTRIES = new ClassValue<>() {
        @Override
        protected Entry computeValue(Class<?> type) {
            return new Entry(type);
        }
    };

    private RecordMapperCache() {}

    /// Returns the mapper of a record class.
    ///
    /// @param struct  the struct, or empty for the struct that the record declares
    /// @param mappers creates the mapper if there is none
    public static RecordCodec of(Class<?> type, Optional<StructType> struct, RecordMappers mappers) {
        return ENTRIES.get(Objects.requireNonNull(type, "type")).mapper(struct, mappers);
    }

    private static final class Entry {
        private final Class<?> type;
        // No mapper is created inside an operation of the map: static initialisers of the user may create mappers too.
        private final Map<Optional<StructType>, Cached> mappers = new ConcurrentHashMap<>();

        Entry(Class<?> type) {
            this.type = type;
        }

        RecordCodec mapper(Optional<StructType> struct, RecordMappers creator) {
            UserLookup lookup = creator.lookup();
            Cached present = mappers.get(struct);
            if (present == null) {
                StructType declared = StructTypeReader.ofRecord(type);
                if (struct.isPresent()) {
                    GivenStruct.check(type, declared, struct.get());
                }
                Cached created = new Cached(creator.create(type, struct.orElse(declared)),
                        lookup.needsNoLookup() ? Set.of() : lookup.records());
                present = mappers.putIfAbsent(struct, created);
                return present == null ? created.mapper() : present.mapper();
            }
            present.toReach().forEach(lookup::checkConstructor);
            return present.mapper();
        }
    }

    /// @param mapper  the mapper
    /// @param toReach the classes that were accessible to a Lookup only: later callers must be able to access them too
    private record Cached(RecordCodec mapper, Set<Class<?>> toReach) {}
}
