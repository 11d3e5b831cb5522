package dev.arenakit.internal.collection;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HashedLongsTest {
    private static final int FACTORS = 41;
    private static final int KEYS = 1 << 16;
    /// The bits of keys that cluster under multiplication by the golden ratio, even after an addition of any number.
    private static final int[] HOSTILE_BITS = {3, 13, 14, 17, 18, 26, 33, 34, 35, 36, 37, 49, 50, 54, 55, 56};

    /// Returns the average distance of a key from its home, in a table of which 3/4 are used.
    private static double displacement(long[] keys, long factor) {
        long[] hashes = Arrays.stream(keys).map(key -> (key * factor) ^ Long.MIN_VALUE).sorted().toArray();
        long homes = keys.length * 4L / 3;
        double sum = 0;
        long free = 0;
        for (long hash : hashes) {
            long home = Math.unsignedMultiplyHigh(hash ^ Long.MIN_VALUE, homes);
            free = Math.max(free, home);
            sum += free - home;
            free++;
        }
        return sum / keys.length;
    }

    private static long hostile(int number) {
        return IntStream.range(0, HOSTILE_BITS.length)
                .mapToLong(bit -> (long) (number >> bit & 1) << HOSTILE_BITS[bit])
                .sum();
    }

    @Test
    void newFactor_keysHostileToAnotherFactor_clusterUnderFew() {
        long[] keys = IntStream.range(0, KEYS).mapToLong(HashedLongsTest::hostile).toArray();
        assertThat(displacement(keys, 0x9E3779B97F4A7C15L)).isGreaterThan(1000);
        double[] sorted = IntStream.range(0, FACTORS)
                .mapToDouble(_ -> displacement(keys, HashedLongs.newFactor()))
                .sorted()
                .toArray();
        assertThat(sorted[FACTORS / 2]).isLessThan(20);
    }

    @Test
    @Tag("full")
    void newFactor_successiveNumbers_neverCluster() {
        for (int shift = 0; shift <= 4; shift++) {
            int step = 1 << shift;
            long[] keys = LongStream.range(0, KEYS).map(number -> number * step).toArray();
            for (int i = 0; i < FACTORS; i++) {
                long factor = HashedLongs.newFactor();
                assertThat(displacement(keys, factor)).as("factor=%x, step=%d", factor, step).isLessThan(64);
            }
        }
    }

    @Test
    void distributes_factorNearASimpleFraction_isRefused() {
        assertThat(HashedLongs.distributes(1)).isFalse();
        assertThat(HashedLongs.distributes(-1)).isFalse();
        assertThat(HashedLongs.distributes((1L << 63) + 1)).isFalse();
        // A third of 2^64.
        assertThat(HashedLongs.distributes(0x5555_5555_5555_5555L)).isFalse();
    }

    @Test
    void inverse_anyFactor_restoresTheKey() {
        new Random(1).longs(1000).forEach(key -> {
            long factor = HashedLongs.newFactor();
            assertThat(factor & 1).isEqualTo(1);
            assertThat(key * factor * HashedLongs.inverse(factor)).isEqualTo(key);
        });
    }
}
