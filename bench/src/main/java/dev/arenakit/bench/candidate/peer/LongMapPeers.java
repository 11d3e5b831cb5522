package dev.arenakit.bench.candidate.peer;

import dev.arenakit.MallocArena;
import dev.arenakit.collection.LongLongMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.HashMap;
import java.util.Map;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import org.agrona.collections.Long2LongHashMap;

/// The compared maps. Each map grows from its default size.
public enum LongMapPeers {
    /// fastutil, the baseline.
    FASTUTIL,
    /// A map of this library.
    LONG_LONG_MAP,
    /// A map of this library with tags.
    TAGGED,
    /// Agrona.
    AGRONA,
    /// The JDK.
    HASH_MAP,
    /// Chronicle Map. The number of entries must be known when it is created.
    CHRONICLE;

    /// Creates an empty map.
    ///
    /// @param entries the number of entries, for maps that must know it
    /// @return the map
    public LongMapPeer open(long entries) {
        return switch (this) {
            case FASTUTIL -> new Fastutil();
            case LONG_LONG_MAP -> new OfLongs(LongLongMap.owning(MallocArena::ofConfined));
            case TAGGED -> new OfLongs(LongLongMap.tagged().owning(MallocArena::ofConfined));
            case AGRONA -> new Agrona();
            case HASH_MAP -> new Boxed(new HashMap<>(), () -> {});
            case CHRONICLE -> chronicle(entries);
        };
    }

    private static LongMapPeer chronicle(long entries) {
        ChronicleMaps.requireAvailable();
        var map = ChronicleMapBuilder.of(Long.class, Long.class).entries(entries).create();
        return new Boxed(map, map::close);
    }

    private static final class Fastutil implements LongMapPeer {
        private final Long2LongOpenHashMap map = new Long2LongOpenHashMap();

        Fastutil() {
            map.defaultReturnValue(MISSING);
        }

        @Override
        public long get(long key) {
            return map.get(key);
        }

        @Override
        public void put(long key, long value) {
            map.put(key, value);
        }

        @Override
        public void addTo(long key, long delta) {
            map.addTo(key, delta);
        }

        @Override
        public long sum() {
            long sum = 0;
            for (var entry : map.long2LongEntrySet()) {
                sum += entry.getLongValue();
            }
            return sum;
        }

        @Override
        public void close() {}
    }

    private record OfLongs(LongLongMap map) implements LongMapPeer {
        @Override
        public long get(long key) {
            return map.get(key, MISSING);
        }

        @Override
        public void put(long key, long value) {
            map.put(key, value);
        }

        @Override
        public void addTo(long key, long delta) {
            map.addTo(key, delta);
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
        public void close() {
            map.close();
        }
    }

    private static final class Agrona implements LongMapPeer {
        private final Long2LongHashMap map = new Long2LongHashMap(MISSING);

        @Override
        public long get(long key) {
            return map.get(key);
        }

        @Override
        public void put(long key, long value) {
            map.put(key, value);
        }

        @Override
        public void addTo(long key, long delta) {
            map.merge(key, delta, (long value, long added) -> value + added);
        }

        @Override
        public long sum() {
            long sum = 0;
            for (var values = map.values().iterator(); values.hasNext();) {
                sum += values.nextValue();
            }
            return sum;
        }

        @Override
        public void close() {}
    }

    private record Boxed(Map<Long, Long> map, Runnable closing) implements LongMapPeer {
        @Override
        public long get(long key) {
            Long value = map.get(key);
            return value == null ? MISSING : value;
        }

        @Override
        public void put(long key, long value) {
            map.put(key, value);
        }

        @Override
        public void addTo(long key, long delta) {
            map.merge(key, delta, Long::sum);
        }

        @Override
        public long sum() {
            long sum = 0;
            for (long value : map.values()) {
                sum += value;
            }
            return sum;
        }

        @Override
        public void close() {
            closing.run();
        }
    }
}
