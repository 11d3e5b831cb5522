package dev.arenakit.internal.collection;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Counts the slots that searches and insertions visit in many maps of the same keys, which differ in their factors.
class CrowdedKeysTest {
    private static final int KEYS = 6_000;
    private static final int SIDE = 78;
    private static final int RANDOM_MAPS = 20;
    private static final double MAX_RATIO = 2;
    /// Random keys have 0.014 pairs for each key: a key shares its group with 3.5 others, and one of 128 shares its tag.
    /// Each pair has two keys.
    private static final double MAX_PAIRS = 0.05;

    @SuppressWarnings("ImmutableEnumChecker") // The functions have no state.
    enum Keys {
        RANDOM(i -> mix(i)), SUCCESSIVE(i -> i),
        /// Coordinates of a square, in the halves of a key.
        GRID(i -> ((i / SIDE) << 32) | (i % SIDE)),
        /// Coordinates of a square, in the lower half of a key.
        NARROW_GRID(i -> ((i / SIDE) << 16) | (i % SIDE)),
        /// Coordinates of a cube, in the thirds of a key.
        CUBE(i -> ((i / 400) << 42) | (((i / 20) % 20) << 21) | (i % 20)),
        /// Round numbers.
        THOUSANDS(i -> 1_000 * i), PAGES(i -> 4_096 * i),
        /// The milliseconds of days.
        DAYS(i -> 86_400_000 * i), UPPER_HALF(i -> i << 32), UPPER_BITS(i -> i << 44),
        /// Blocks of 48 bytes.
        ADDRESSES(i -> 0x7f00_0000_0000L + 48 * i);

        private final LongUnaryOperator key;

        Keys(LongUnaryOperator key) {
            this.key = key;
        }

        private long[] keys() {
            return LongStream.range(1, KEYS + 1).map(key).toArray();
        }

        private static long mix(long number) {
            long bits = (number ^ number >>> 30) * 0xBF58_476D_1CE4_E5B9L;
            return (bits ^ bits >>> 27) * 0x94D0_49BB_1331_11EBL;
        }
    }

    /// What is counted in one map.
    ///
    /// @param probes     the average number of slots or groups that a search for a present key visits
    /// @param insertions the average number of slots or groups that an insertion visits, in the second half of the
    ///                   insertions
    private record Visits(double probes, double insertions) {}

    /// The visits with random keys, counted when a test first compares with them.
    private static final class OfRandom {
        static final Visits[] ORDERED = visits(Keys.RANDOM, RANDOM_MAPS, CrowdedKeysTest::ofOrdered);
        static final Visits[] TAGGED = visits(Keys.RANDOM, RANDOM_MAPS, CrowdedKeysTest::ofTagged);
    }

    private static Visits ofOrdered(long[] keys) {
        return ofOrdered(new OrderedLongs(memory(), 0), keys);
    }

    private static Visits ofInts(long[] keys) {
        return ofOrdered(new OrderedIntKeys(memory(), 0), keys);
    }

    private static Visits ofOrdered(OrderedSlots opened, long[] keys) {
        try (OrderedSlots slots = opened) {
            double slotByteSize = slots.slotByteSize();
            double visited = 0;
            for (int i = 0; i < KEYS; i++) {
                long before = slots.displacement;
                slots.put(keys[i], i);
                if (i >= KEYS / 2) {
                    visited += 1 + Math.max(0, slots.displacement - before) / slotByteSize;
                }
            }
            return new Visits(1 + slots.displacement / slotByteSize / KEYS, visited / (KEYS / 2.0));
        }
    }

    private static Visits ofTagged(long[] keys) {
        try (TaggedSlots slots = new TaggedSlots(memory(), 0)) {
            double visited = 0;
            for (int i = 0; i < KEYS; i++) {
                long before = slots.passes;
                slots.put(keys[i], i);
                if (i >= KEYS / 2) {
                    visited += 1 + Math.max(0, slots.passes - before);
                }
            }
            return new Visits(1.0 + (double) slots.passes / KEYS, visited / (KEYS / 2.0));
        }
    }

    private static TableMemory memory() {
        return TableMemory.owning(Arena::ofConfined);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("full")
    void put_keysWithAStructure_visitsAsFewSlotsAsWithRandomKeys(Keys keys) {
        // So few maps do not show one in a hundred, and random factors must not fail this test.
        count(keys, 40, 0.9);
    }

    @ParameterizedTest
    @EnumSource(names = {"SUCCESSIVE", "NARROW_GRID", "THOUSANDS", "PAGES"})
    @Tag("full")
    void add_intsWithAStructure_visitsAsFewSlotsAsWithRandomKeys(Keys keys) {
        Visits[] ints = visits(keys, 100, CrowdedKeysTest::ofInts);
        check("ints: hits", ints, OfRandom.ORDERED, Visits::probes, 0.9);
        check("ints: insertions", ints, OfRandom.ORDERED, Visits::insertions, 0.9);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void put_keysWithAStructureInThousandsOfMaps_visitsAsFewSlotsAsWithRandomKeys(Keys keys) {
        count(keys, 2_000, 0.99);
    }

    /// The work of nearly all maps is at most twice the work of the median map of random keys.
    private static void count(Keys keys, int maps, double part) {
        Visits[] ordered = visits(keys, maps, CrowdedKeysTest::ofOrdered);
        Visits[] tagged = visits(keys, maps, CrowdedKeysTest::ofTagged);
        check("ordered: hits", ordered, OfRandom.ORDERED, Visits::probes, part);
        check("ordered: insertions", ordered, OfRandom.ORDERED, Visits::insertions, part);
        check("tagged: hits", tagged, OfRandom.TAGGED, Visits::probes, part);
        check("tagged: insertions", tagged, OfRandom.TAGGED, Visits::insertions, part);
    }

    private static void check(String name, Visits[] visits, Visits[] ofRandom, ToDoubleFunction<Visits> counted,
            double part) {
        assertThat(part(visits, counted, part)).as(name).isLessThan(MAX_RATIO * part(ofRandom, counted, 0.5));
    }

    /// Counts the pairs of keys that have a group and a tag in common, in the groups of a table that is half full. The
    /// median of the factors counts, because a table with too many full groups chooses another factor.
    @ParameterizedTest
    @EnumSource
    void tag_keysWithAStructure_differsWithinAGroup(Keys keys) {
        long[] of = Arrays.copyOf(keys.keys(), KEYS);
        long groups = KEYS * 2 / 7;
        double[] pairs = IntStream.range(0, RANDOM_MAPS).mapToDouble(_ -> {
            long factor = HashedLongs.newFactor();
            Map<Long, Long> equal = Arrays.stream(of)
                    .map(key -> key * factor)
                    .boxed()
                    .collect(Collectors.groupingBy(
                            hash -> Math.unsignedMultiplyHigh(hash, groups) << Byte.SIZE
                                    | TaggedSlots.tag(hash),
                            Collectors.counting()));
            return equal.values().stream().mapToLong(count -> count * (count - 1) / 2).sum();
        }).sorted().toArray();
        assertThat(pairs[pairs.length / 2] / KEYS).isLessThan(MAX_PAIRS);
    }

    private static Visits[] visits(Keys keys, int maps, Function<long[], Visits> count) {
        long[] of = keys.keys();
        return IntStream.range(0, maps).mapToObj(_ -> count.apply(of)).toArray(Visits[]::new);
    }

    private static double part(Visits[] visits, ToDoubleFunction<Visits> counted, double part) {
        double[] sorted = Arrays.stream(visits).mapToDouble(counted).sorted().toArray();
        return sorted[(int) ((sorted.length - 1) * part)];
    }

    private static final int FACTORS = 15;
    private static final int HOSTILE_KEYS = 1 << 16;
    /// The bits of keys that cluster under multiplication by the golden ratio, even after an addition of any number.
    private static final int[] HOSTILE_BITS = {3, 13, 14, 17, 18, 26, 33, 34, 35, 36, 37, 49, 50, 54, 55, 56};

    /// Returns the average distance of a key from its home, in a table that is used to 3/4.
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
        long[] keys = IntStream.range(0, HOSTILE_KEYS).mapToLong(CrowdedKeysTest::hostile).toArray();
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
            long[] keys = LongStream.range(0, HOSTILE_KEYS).map(number -> number * step).toArray();
            for (int i = 0; i < FACTORS; i++) {
                long factor = HashedLongs.newFactor();
                assertThat(displacement(keys, factor)).as("factor=%x, step=%d", factor, step).isLessThan(64);
            }
        }
    }
}
