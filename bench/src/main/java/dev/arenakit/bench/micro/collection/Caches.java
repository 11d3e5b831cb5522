package dev.arenakit.bench.micro.collection;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.arenakit.MallocArena;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.collection.LruMap;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Measures caches of a limited size: a look-up of a key, and an insertion of 200 to 1,460 bytes if it is missing.
///
/// The key of rank n is n^-0.9 times as frequent as the first one. All caches hold nearly the same number of entries, but
/// Caffeine's admission of new entries gives it more hits than the order of the last use gives the others.
@BenchmarkName(value = "cache", baseline = "LinkedHashMap",
        measures = "Looks up a key in a cache of 56 MiB, and adds it if it is missing.")
@OperationsPerInvocation(Caches.BATCH)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, "-Xmx512m"})
public class Caches extends MicroBenchmark {
    static final int BATCH = 1_000;
    private static final int KEYS = 1_000_000;
    static final int QUERIES = 1_000 * BATCH;
    private static final double EXPONENT = 0.9;
    static final long LIMIT = 64L << 20;
    /// What the values of an LruMap may take of its limit.
    static final long WEIGHT = LIMIT / 8 * 7;
    /// What an LruMap takes besides a value.
    static final int ENTRY = 24;

    private final byte[][] values = new byte[64][];
    private int[] queries = {};
    private int at;

    private final Map<Long, byte[]> linked = new LinkedHashMap<>(16, 0.75f, true);
    private long linkedWeight;
    private final LruMap lru = LruMap.owning(MallocArena::ofConfined, LIMIT);
    private final LruMap.Value found = lru.newValue();
    private final Cache<Long, byte[]> caffeine = Caffeine.newBuilder()
            .executor(Runnable::run)
            .maximumWeight(WEIGHT)
            .weigher((Long _, byte[] value) -> value.length + ENTRY)
            .build();

    /// Creates the keys that are looked up.
    @Setup
    public void create() {
        fill(values);
        queries = queries();
    }

    static void fill(byte[][] values) {
        for (int i = 0; i < values.length; i++) {
            values[i] = new byte[200 + 20 * i];
        }
    }

    static int[] queries() {
        double[] sums = new double[KEYS];
        double sum = 0;
        for (int i = 0; i < KEYS; i++) {
            sum += Math.pow(i + 1, -EXPONENT);
            sums[i] = sum;
        }
        SplittableRandom random = new SplittableRandom(42);
        int[] queries = new int[QUERIES];
        for (int i = 0; i < QUERIES; i++) {
            int rank = Arrays.binarySearch(sums, random.nextDouble() * sum);
            queries[i] = rank < 0 ? ~rank : rank;
        }
        return queries;
    }

    /// Frees the memory.
    @TearDown
    public void close() {
        lru.close();
    }

    /// A `LinkedHashMap` in the order of access.
    @Benchmark
    @CandidateName("LinkedHashMap")
    public long linkedHashMap() {
        long sum = 0;
        for (int i = nextBatch(), end = i + BATCH; i < end; i++) {
            long key = queries[i];
            byte[] value = linked.get(key);
            if (value == null) {
                value = read(key).clone();
                linked.put(key, value);
                linkedWeight += value.length + ENTRY;
                Iterator<byte[]> oldest = linked.values().iterator();
                while (linkedWeight > WEIGHT) {
                    linkedWeight -= oldest.next().length + ENTRY;
                    oldest.remove();
                }
            }
            sum += value[0];
        }
        return sum;
    }

    /// Caffeine, which serves any number of threads, with its maintenance in the calling thread.
    @Benchmark
    @CandidateName("Caffeine")
    public long caffeine() {
        long sum = 0;
        for (int i = nextBatch(), end = i + BATCH; i < end; i++) {
            Long key = (long) queries[i];
            byte[] value = caffeine.getIfPresent(key);
            if (value == null) {
                value = read(key).clone();
                caffeine.put(key, value);
            }
            sum += value[0];
        }
        return sum;
    }

    /// An `LruMap`, whose values are read in place.
    @Benchmark
    @CandidateName("LruMap")
    public long lruMap() {
        long sum = 0;
        for (int i = nextBatch(), end = i + BATCH; i < end; i++) {
            long key = queries[i];
            if (lru.find(key, found)) {
                sum += found.bytes().get(JAVA_BYTE, found.offset());
            } else {
                lru.put(key, read(key));
            }
        }
        return sum;
    }

    private byte[] read(long key) {
        return values[(int) key & (values.length - 1)];
    }

    private int nextBatch() {
        int from = at;
        at = (from + BATCH) % QUERIES;
        return from;
    }
}
