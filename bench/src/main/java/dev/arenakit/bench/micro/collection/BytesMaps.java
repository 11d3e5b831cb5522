package dev.arenakit.bench.micro.collection;

import dev.arenakit.MallocArena;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.peer.ChronicleMaps;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.collection.BytesLongMap;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import org.jspecify.annotations.Nullable;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Measures look-ups and counts in maps whose keys are already bytes and whose values are numbers.
@BenchmarkName(value = "bytes to long", baseline = "HashMap",
        measures = "Looks keys that are bytes up in a map to numbers, or counts them.")
@OperationsPerInvocation(BytesKeys.BATCH)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, "-Xmx2g"})
public class BytesMaps extends MicroBenchmark {
    private static final int KEY = BytesKeys.KEY;
    private static final int BATCH = BytesKeys.BATCH;

    /// A `HashMap` with a new `String` for each key.
    @Benchmark
    @CandidateName("HashMap")
    public long hashMap(BytesKeys keys, Strings map) {
        long sum = 0;
        int from = keys.nextBatch();
        boolean isCount = keys.isCount();
        for (int i = 0; i < BATCH; i++) {
            String key = new String(keys.queried, from + i * KEY, KEY, StandardCharsets.UTF_8);
            sum += isCount ? map.map.merge(key, 1L, Long::sum) : map.map.getOrDefault(key, 0L);
        }
        return sum;
    }

    /// A `BytesLongMap`, which takes the bytes directly.
    @Benchmark
    @CandidateName("BytesLongMap")
    public long bytesLongMap(BytesKeys keys, Bytes map) {
        long sum = 0;
        int from = keys.nextBatch();
        boolean isCount = keys.isCount();
        for (int i = 0; i < BATCH; i++) {
            int at = from + i * KEY;
            sum += isCount ? map.map.addTo(keys.queried, at, KEY, 1) : map.map.get(keys.queried, at, KEY, 0);
        }
        return sum;
    }

    /// A Chronicle Map of bytes to numbers, whose size was given when it was created.
    @Benchmark
    @CandidateName("Chronicle Map")
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, "-Xmx2g", JvmArgs.NO_CHRONICLE_ANALYTICS,
            "--sun-misc-unsafe-memory-access=allow", "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED", "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
            "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
            "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED", "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED"})
    public long chronicleMap(BytesKeys keys, Chronicle map) {
        return map.run(keys);
    }

    /// A MapDB map in direct memory.
    @Benchmark
    @CandidateName("MapDB")
    public long mapDb(BytesKeys keys, Mapdb map) {
        return map.run(keys);
    }

    /// The map of the JDK.
    @State(Scope.Thread)
    public static class Strings {
        private final Map<String, Long> map = new HashMap<>();

        /// Adds the keys.
        @Setup
        public void fill(BytesKeys keys) {
            for (int at = 0; at < keys.present.length; at += KEY) {
                map.put(new String(keys.present, at, KEY, StandardCharsets.UTF_8), (long) at);
            }
        }
    }

    /// The map of this library.
    @State(Scope.Thread)
    public static class Bytes {
        private final BytesLongMap map = BytesLongMap.owning(MallocArena::ofConfined);

        /// Adds the keys.
        @Setup
        public void fill(BytesKeys keys) {
            for (int at = 0; at < keys.present.length; at += KEY) {
                map.put(keys.present, at, KEY, at);
            }
        }

        /// Frees the memory.
        @TearDown
        public void close() {
            map.close();
        }
    }

    /// A map that takes each key as an array of its own.
    private static final class ArrayMap {
        private final Map<byte[], Long> map;
        private final byte[] key = new byte[KEY];

        ArrayMap(Map<byte[], Long> map, BytesKeys keys) {
            this.map = map;
            for (int at = 0; at < keys.present.length; at += KEY) {
                System.arraycopy(keys.present, at, key, 0, KEY);
                map.put(key, (long) at);
            }
        }

        long run(BytesKeys keys) {
            long sum = 0;
            int from = keys.nextBatch();
            boolean isCount = keys.isCount();
            for (int i = 0; i < BATCH; i++) {
                System.arraycopy(keys.queried, from + i * KEY, key, 0, KEY);
                Long before = map.get(key);
                long value = before == null ? 0 : before;
                if (isCount) {
                    map.put(key, value + 1);
                }
                sum += value;
            }
            return sum;
        }
    }

    /// Chronicle Map.
    @State(Scope.Thread)
    public static class Chronicle {
        private @Nullable ArrayMap map;
        private @Nullable AutoCloseable open;

        /// Creates the map, and adds the keys.
        @Setup
        public void fill(BytesKeys keys) {
            ChronicleMaps.requireAvailable();
            var chronicle = ChronicleMapBuilder.of(byte[].class, Long.class)
                    .name("bench")
                    .constantKeySizeBySample(new byte[KEY])
                    .entries(keys.size)
                    .create();
            open = chronicle;
            map = new ArrayMap(chronicle, keys);
        }

        long run(BytesKeys keys) {
            return Objects.requireNonNull(map).run(keys);
        }

        /// Frees the memory.
        @TearDown
        public void close() throws Exception {
            Objects.requireNonNull(open).close();
        }
    }

    /// MapDB.
    @State(Scope.Thread)
    public static class Mapdb {
        private final DB open = DBMaker.memoryDirectDB().make();
        private @Nullable ArrayMap map;

        /// Creates the map, and adds the keys.
        @Setup
        public void fill(BytesKeys keys) {
            map = new ArrayMap(open.hashMap("bench", Serializer.BYTE_ARRAY, Serializer.LONG).create(), keys);
        }

        long run(BytesKeys keys) {
            return Objects.requireNonNull(map).run(keys);
        }

        /// Frees the memory.
        @TearDown
        public void close() {
            open.close();
        }
    }
}
