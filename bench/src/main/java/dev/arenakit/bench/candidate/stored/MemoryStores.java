package dev.arenakit.bench.candidate.stored;

import dev.arenakit.SlabPool;
import dev.arenakit.collection.LongLongMap;
import dev.arenakit.collection.RecordMap;
import dev.arenakit.layout.RecordMapper;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Structures in memory, as the baselines of stores: the maps of this library in slab arenas, the ordered map of the
/// JDK, and a sorted array. Their entries do not survive the end of the process.
public final class MemoryStores {
    private MemoryStores() {}

    /// {@return an empty map of this library from longs to longs}
    ///
    /// @param directory  ignored
    /// @param maxEntries ignored; the map grows from its default size
    public static StoredLongMap longs(Path directory, long maxEntries) {
        SlabPool pool = SlabPool.create();
        return new SlabLongs(pool, LongLongMap.owning(pool::openConfined));
    }

    /// {@return an empty map of this library from records to records}
    ///
    /// @param directory  ignored
    /// @param maxEntries ignored; the map grows from its default size
    public static StoredRecordMap records(Path directory, long maxEntries) {
        SlabPool pool = SlabPool.create();
        return new SlabRecords(pool,
                RecordMap.owning(pool::openConfined, SlabRecords.KEYS, SlabRecords.POSITIONS));
    }

    /// {@return an empty `TreeMap`}
    ///
    /// @param directory  ignored
    /// @param maxEntries ignored
    public static StoredTree treeMap(Path directory, long maxEntries) {
        return new BoxedTree(new TreeMap<>(), () -> {}, () -> {});
    }

    /// {@return an empty sorted array}
    ///
    /// @param directory  ignored
    /// @param maxEntries ignored
    public static StoredTree sortedArray(Path directory, long maxEntries) {
        return new SortedArray();
    }

    private record SlabLongs(SlabPool pool, LongLongMap map) implements StoredLongMap {
        @Override
        public long get(long key) {
            return map.get(key, MISSING);
        }

        @Override
        public void put(long key, long value) {
            map.put(key, value);
        }

        @Override
        public boolean remove(long key) {
            return map.remove(key);
        }

        @Override
        public long sum() {
            long sum = 0;
            for (LongLongMap.Cursor cursor = map.cursor(); cursor.moveNext();) {
                sum += cursor.value();
            }
            return sum;
        }

        @Override
        public void commit() {}

        @Override
        public void close() {
            map.close();
            pool.close();
        }
    }

    private record SlabRecords(SlabPool pool, RecordMap<AccountKey, Position> map) implements StoredRecordMap {
        private static final RecordMapper<AccountKey> KEYS = RecordMapper.of(AccountKey.class);
        private static final RecordMapper<Position> POSITIONS = RecordMapper.of(Position.class);
        private static final Position NONE = Position.of(StoredLongMap.MISSING);

        // An entry may have a value that equals the result for a missing key.
        @SuppressWarnings("ReferenceEquality")
        @Override
        public @Nullable Position get(AccountKey key) {
            Position found = map.get(key, NONE);
            return found == NONE ? null : found;
        }

        @Override
        public void put(AccountKey key, Position value) {
            map.put(key, value);
        }

        @Override
        public boolean remove(AccountKey key) {
            return map.remove(key);
        }

        @Override
        public long sum() {
            long[] sum = {0};
            map.forEach((_, value) -> sum[0] += value.quantity());
            return sum[0];
        }

        @Override
        public void commit() {}

        @Override
        public void close() {
            map.close();
            pool.close();
        }
    }

    /// Keys and values in two arrays, which are sorted again at the first search after a change.
    private static final class SortedArray implements StoredTree {
        private final TreeMap<Long, Long> changed = new TreeMap<>();
        private boolean isSorted = true;
        private long[] keys = {};
        private long[] values = {};

        @Override
        public long get(long key) {
            int index = search(key);
            return index < 0 ? MISSING : values[index];
        }

        @Override
        public void put(long key, long value) {
            changed.put(key, value);
            isSorted = false;
        }

        @Override
        public boolean remove(long key) {
            isSorted = false;
            return changed.remove(key) != null;
        }

        @Override
        public long sum() {
            return scan(Long.MIN_VALUE, Integer.MAX_VALUE);
        }

        @Override
        public long scan(long first, int limit) {
            int index = search(first);
            int from = index < 0 ? -index - 1 : index;
            long[] scanned = values;
            int to = from + Math.min(limit, scanned.length - from);
            long sum = 0;
            for (int i = from; i < to; i++) {
                sum += scanned[i];
            }
            return sum;
        }

        private int search(long key) {
            if (!isSorted) {
                sort();
            }
            return Arrays.binarySearch(keys, key);
        }

        private void sort() {
            keys = new long[changed.size()];
            values = new long[changed.size()];
            int index = 0;
            for (Map.Entry<Long, Long> entry : changed.entrySet()) {
                keys[index] = entry.getKey();
                values[index++] = entry.getValue();
            }
            isSorted = true;
        }

        @Override
        public void commit() {}

        @Override
        public void close() {}
    }
}
