package dev.arenakit.layout;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The mappers of all record classes. Each record class holds its mapper, and both are unloaded together.
final class RecordMapperCache {
    private static final ClassValue<Entry> ENTRIES = new ClassValue<>() {
        @Override
        protected Entry computeValue(Class<?> type) {
            return new Entry(type);
        }
    };

    private RecordMapperCache() {}

    @SuppressWarnings("unchecked") // The mapper of a class creates records of that class.
    static <R> RecordMapper<R> of(Class<R> type, UserLookup lookup) {
        return (RecordMapper<R>) ENTRIES.get(type).mapper(lookup);
    }

    private static final class Entry {
        private final Class<?> type;
        private volatile @Nullable Cached cached;

        Entry(Class<?> type) {
            this.type = type;
        }

        RecordMapper<?> mapper(UserLookup lookup) {
            Cached present = cached;
            if (present == null) {
                return keep(new Cached(RecordClassEmitter.emit(type, StructTypeReader.ofRecord(type), lookup),
                        lookup.needsNoLookup() ? Set.of() : lookup.records()));
            }
            present.toReach().forEach(lookup::constructor);
            return present.mapper();
        }

        // The mapper is created without a lock: meanwhile, static initialisers of the user may run and create mappers.
        private synchronized RecordMapper<?> keep(Cached candidate) {
            Cached present = cached;
            if (present == null) {
                cached = candidate;
                return candidate.mapper();
            }
            return present.mapper();
        }
    }

    /// @param mapper  the mapper
    /// @param toReach the classes that were accessible to a Lookup only: later callers must be able to access them too
    private record Cached(RecordMapper<?> mapper, Set<Class<?>> toReach) {}
}
