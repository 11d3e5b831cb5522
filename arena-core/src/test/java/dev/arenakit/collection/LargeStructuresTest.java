package dev.arenakit.collection;

import dev.arenakit.MallocArena;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Structures of many entries, which take minutes and gigabytes.
@Tag("slow")
class LargeStructuresTest {
    private static final long ENTRIES = 100_000_000;
    /// The distance of the entries that are searched. All entries are visited.
    private static final long SAMPLED = 97;
    private static final long FACTOR = 0xD1342543DE82EF95L;

    /// Returns a number that looks random. Different arguments give different numbers.
    private static long key(long number) {
        long mixed = (number ^ (number >>> 32)) * FACTOR;
        return (mixed ^ (mixed >>> 29)) * FACTOR;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void map_of100MillionEntries_hasThemAll(boolean isTagged) {
        // With an expected size, the entries need not be moved seven times.
        try (LongLongMap map = isTagged
                ? LongLongMap.tagged().owning(MallocArena::ofConfined, ENTRIES)
                : LongLongMap.owning(MallocArena::ofConfined, ENTRIES)) {
            for (long i = 0; i < ENTRIES; i++) {
                map.put(key(i), i);
            }
            assertThat(map.size()).isEqualTo(ENTRIES);
            assertThat(map.byteSize() / (double) ENTRIES).isLessThanOrEqualTo(36);
            long wrong = 0;
            for (long i = 0; i < ENTRIES; i += SAMPLED) {
                wrong += map.get(key(i), -1) == i ? 0 : 1;
                wrong += map.containsKey(key(i + ENTRIES)) ? 1 : 0;
            }
            assertThat(wrong).isZero();
            long[] sums = {0, 0};
            map.forEach((key, value) -> {
                sums[0] += value;
                sums[1] += key(value) == key ? 0 : 1;
            });
            assertThat(sums).containsExactly(ENTRIES * (ENTRIES - 1) / 2, 0);
        }
    }

    @Test
    void list_beyond2To31Values_hasThemAll() {
        long size = (1L << 31) + 10;
        try (IntList list = IntList.owning(MallocArena::ofConfined, size)) {
            for (long i = 0; i < size; i++) {
                list.add((int) ((i * FACTOR) >>> 32));
            }
            long wrong = 0;
            for (long i = 0; i < size; i++) {
                wrong += list.get(i) == (int) ((i * FACTOR) >>> 32) ? 0 : 1;
            }
            assertThat(wrong).isZero();
            assertThat(list.size()).isEqualTo(size);
        }
    }
}
