package dev.arenakit.layout;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The mappers there are, each held by the class that it maps, and so unloaded with it.
final class MapperCache {
    private static final ClassValue<Entry> ENTRIES = new ClassValue<>() {
        @Override
        protected Entry computeValue(Class<?> type) {
            return new Entry(type);
        }
    };

    private MapperCache() {}

    @SuppressWarnings("unchecked") // The mapper of a class makes objects of that class.
    static <R> RecordMapper<R> of(Class<R> type, RecordAccess access) {
        return (RecordMapper<R>) ENTRIES.get(type).mapper(access);
    }

    private static final class Entry {
        private final Class<?> type;
        private volatile @Nullable Made made;

        Entry(Class<?> type) {
            this.type = type;
        }

        RecordMapper<?> mapper(RecordAccess access) {
            Made present = made;
            if (present == null) {
                return keep(new Made(RecordMapperMaker.make(type, TypeReader.ofRecord(type), access),
                        access.isOnItsOwn() ? Set.of() : access.records()));
            }
            present.toShow().forEach(access::constructor);
            return present.mapper();
        }

        // Made without a lock: the static initialiser of the user's enum may run meanwhile, and make mappers, too.
        private synchronized RecordMapper<?> keep(Made candidate) {
            Made present = made;
            if (present == null) {
                made = candidate;
                return candidate.mapper();
            }
            return present.mapper();
        }
    }

    /// @param mapper the mapper
    /// @param toShow the classes that were reached by somebody's Lookup: whoever asks next shows that he may construct them
    private record Made(RecordMapper<?> mapper, Set<Class<?>> toShow) {}
}
