package dev.arenakit.bench.micro.collection;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.arenakit.MallocArena;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.peer.ChronicleMaps;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.collection.concurrent.ConcurrentLruMap;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import org.caffinitas.ohc.CacheSerializer;
import org.caffinitas.ohc.Eviction;
import org.caffinitas.ohc.OHCache;
import org.caffinitas.ohc.OHCacheBuilder;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Measures caches that two threads share: the look-ups and insertions of [Caches], each thread from another one on.
@BenchmarkName(value = "cache of two threads", baseline = "Caffeine",
        measures = "Looks up a key in a cache of 56 MiB that two threads use, and adds it if it is missing.")
@OperationsPerInvocation(Caches.BATCH)
@Threads(2)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, "-Xmx512m"})
public class SharedCaches extends MicroBenchmark {
    private final byte[][] values = new byte[64][];
    private final MemorySegment buffer = MemorySegment.ofArray(new byte[2_048]);
    private int[] queries = {};
    private int at;

    /// Creates the keys that are looked up.
    @Setup
    public void create() {
        Caches.fill(values);
        queries = Caches.queries();
        at = ThreadLocalRandom.current().nextInt(Caches.QUERIES / Caches.BATCH) * Caches.BATCH;
    }

    /// A `ConcurrentLruMap`, which copies the value.
    @Benchmark
    @CandidateName("ConcurrentLruMap")
    public long concurrentLruMap(Lru cache) {
        long sum = 0;
        for (int i = nextBatch(), end = i + Caches.BATCH; i < end; i++) {
            long key = queries[i];
            int size = cache.map.find(key, buffer);
            if (size < 0) {
                cache.map.put(key, values[(int) key & 63]);
            }
            sum += size;
        }
        return sum;
    }

    /// Caffeine with a weigher, whose values are arrays, which are copied as the others are.
    @Benchmark
    @CandidateName("Caffeine")
    public long caffeine(Heap cache) {
        long sum = 0;
        for (int i = nextBatch(), end = i + Caches.BATCH; i < end; i++) {
            Long key = (long) queries[i];
            byte[] value = cache.map.getIfPresent(key);
            if (value == null) {
                cache.map.put(key, values[queries[i] & 63].clone());
            } else {
                MemorySegment.copy(value, 0, buffer, JAVA_BYTE, 0, value.length);
                sum += value.length;
            }
        }
        return sum;
    }

    /// OHC, with its admission of new entries.
    @Benchmark
    @CandidateName("OHC")
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, "-Xmx512m", "--sun-misc-unsafe-memory-access=allow"})
    public long ohc(Ohc cache) {
        long sum = 0;
        for (int i = nextBatch(), end = i + Caches.BATCH; i < end; i++) {
            Long key = (long) queries[i];
            byte[] value = cache.map.get(key);
            if (value == null) {
                cache.map.put(key, values[queries[i] & 63]);
            } else {
                sum += value.length;
            }
        }
        return sum;
    }

    /// Chronicle Map, which evicts nothing: it keeps the first entries that fit.
    @Benchmark
    @CandidateName("Chronicle Map")
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, "-Xmx512m", JvmArgs.NO_CHRONICLE_ANALYTICS,
            "--sun-misc-unsafe-memory-access=allow", "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED", "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
            "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
            "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED", "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED", "--add-opens=java.base/java.nio=ALL-UNNAMED"})
    public long chronicleMap(Chronicle cache) {
        long sum = 0;
        ChronicleMap<Long, byte[]> map = cache.map();
        for (int i = nextBatch(), end = i + Caches.BATCH; i < end; i++) {
            Long key = (long) queries[i];
            byte[] value = map.get(key);
            if (value != null) {
                sum += value.length;
            } else if (map.longSize() < Chronicle.ENTRIES) {
                map.put(key, values[queries[i] & 63]);
            }
        }
        return sum;
    }

    private int nextBatch() {
        int from = at;
        at = (from + Caches.BATCH) % Caches.QUERIES;
        return from;
    }

    /// A `ConcurrentLruMap`.
    @State(Scope.Benchmark)
    public static class Lru {
        private final ConcurrentLruMap map = ConcurrentLruMap.builder(Caches.LIMIT).owning(MallocArena::ofShared);

        /// Frees the memory.
        @TearDown
        public void close() {
            map.close();
        }
    }

    /// Caffeine.
    @State(Scope.Benchmark)
    public static class Heap {
        private final Cache<Long, byte[]> map = Caffeine.newBuilder()
                .maximumWeight(Caches.WEIGHT)
                .weigher((Long _, byte[] value) -> value.length + Caches.ENTRY)
                .build();
    }

    /// OHC.
    @State(Scope.Benchmark)
    public static class Ohc {
        private final OHCache<Long, byte[]> map = OHCacheBuilder.<Long, byte[]>newBuilder()
                .capacity(Caches.WEIGHT)
                .eviction(Eviction.W_TINY_LFU)
                .keySerializer(new Longs())
                .valueSerializer(new Arrays())
                .build();

        /// Frees the memory.
        @TearDown
        public void close() throws Exception {
            map.close();
        }

        private static final class Longs implements CacheSerializer<Long> {
            @Override
            public void serialize(Long value, ByteBuffer target) {
                target.putLong(value);
            }

            @Override
            public Long deserialize(ByteBuffer source) {
                return source.getLong();
            }

            @Override
            public int serializedSize(Long value) {
                return Long.BYTES;
            }
        }

        private static final class Arrays implements CacheSerializer<byte[]> {
            @Override
            public void serialize(byte[] value, ByteBuffer target) {
                target.putInt(value.length).put(value);
            }

            @Override
            public byte[] deserialize(ByteBuffer source) {
                byte[] value = new byte[source.getInt()];
                source.get(value);
                return value;
            }

            @Override
            public int serializedSize(byte[] value) {
                return Integer.BYTES + value.length;
            }
        }
    }

    /// Chronicle Map.
    @State(Scope.Benchmark)
    public static class Chronicle {
        private static final int ENTRIES = 69_000;

        private @Nullable ChronicleMap<Long, byte[]> map;

        /// Creates the map.
        @Setup
        public void open() {
            ChronicleMaps.requireAvailable();
            map = ChronicleMapBuilder.of(Long.class, byte[].class)
                    .name("cache")
                    .averageValueSize(830)
                    .entries(ENTRIES)
                    .create();
        }

        ChronicleMap<Long, byte[]> map() {
            return java.util.Objects.requireNonNull(map);
        }

        /// Frees the memory.
        @TearDown
        public void close() {
            map().close();
        }
    }
}
