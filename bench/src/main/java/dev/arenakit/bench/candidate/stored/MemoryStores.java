package dev.arenakit.bench.candidate.stored;

import dev.arenakit.SlabPool;
import dev.arenakit.collection.LongLongMap;
import java.nio.file.Path;

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

}
