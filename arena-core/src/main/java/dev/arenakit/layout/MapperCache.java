package dev.arenakit.layout;

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
        private @Nullable RecordMapper<?> mapper;
        private boolean reachable;

        Entry(Class<?> type) {
            this.type = type;
        }

        synchronized RecordMapper<?> mapper(RecordAccess access) {
            RecordMapper<?> present = mapper;
            if (present == null) {
                RecordMapper<?> made = RecordMapperMaker.make(type, TypeReader.ofRecord(type), access);
                reachable = access.isOnItsOwn();
                mapper = made;
                return made;
            }
            if (!reachable) {
                // Another's Lookup was needed: whoever asks next shows that he may construct the record, too.
                var _ = access.constructor(type);
            }
            return present;
        }
    }
}
