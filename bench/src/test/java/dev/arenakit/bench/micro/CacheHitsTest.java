package dev.arenakit.bench.micro;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.arenakit.MallocArena;
import dev.arenakit.collection.concurrent.ConcurrentLruMap;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// The hits of a cache of 20,000 entries, compared with Caffeine's, whose admission depends on frequencies.
@Tag("full") // Three million queries of two caches.
@SuppressWarnings("NullAway") // The test passes null for a missing value.
class CacheHitsTest {
    private static final int ENTRIES = 20_000;
    private static final int QUERIES = 1_000_000;
    /// The entry, with 16 bytes of its own and a key and a value of 8 bytes, and the part of the limit that remains free.
    private static final long BYTE_LIMIT = ENTRIES * 32L * 8 / 7;

    @Test
    void hits_zipf_areAsManyAsCaffeines() {
        int[] ranks = zipf(1_000_000);
        compare(i -> ranks[i], -0.02, "zipf");
    }

    @Test
    void hits_zipfAndScans_areAsManyAsCaffeines() {
        int[] ranks = zipf(200_000);
        compare(i -> i / 50_000 % 2 == 0 ? ranks[i] : 1_000_000 + i, -0.02, "scans");
    }

    @Test
    void hits_keysInUseChange_areMoreThanCaffeines() {
        int[] ranks = zipf(200_000);
        compare(i -> i / 8 + ranks[i], 0, "moving");
    }

    private static void compare(IntUnaryOperator trace, double least, String name) {
        Cache<Integer, Integer> caffeine = Caffeine.newBuilder().executor(Runnable::run).maximumSize(ENTRIES).build();
        int hits = 0;
        for (int i = 0; i < QUERIES; i++) {
            Integer key = trace.applyAsInt(i);
            if (caffeine.getIfPresent(key) == null) {
                caffeine.put(key, key);
            } else {
                hits++;
            }
        }
        try (ConcurrentLruMap map = ConcurrentLruMap.builder(BYTE_LIMIT).shards(16).owning(MallocArena::ofShared)) {
            byte[] value = new byte[Long.BYTES];
            for (int i = 0; i < QUERIES; i++) {
                long key = trace.applyAsInt(i);
                if (map.get(key, null) == null) {
                    map.put(key, value);
                }
            }
            double ours = (double) map.stats().hits() / QUERIES;
            double theirs = (double) hits / QUERIES;
            assertThat(ours - theirs).as("%s: ours=%s, Caffeine=%s", name, ours, theirs).isGreaterThan(least);
        }
    }

    private static int[] zipf(int keys) {
        double[] sums = new double[keys];
        double sum = 0;
        for (int i = 0; i < keys; i++) {
            sum += Math.pow(i + 1, -0.9);
            sums[i] = sum;
        }
        SplittableRandom random = new SplittableRandom(42);
        int[] ranks = new int[QUERIES];
        for (int i = 0; i < QUERIES; i++) {
            int rank = Arrays.binarySearch(sums, random.nextDouble() * sum);
            ranks[i] = rank < 0 ? ~rank : rank;
        }
        return ranks;
    }
}
