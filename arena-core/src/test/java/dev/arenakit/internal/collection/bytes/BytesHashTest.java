package dev.arenakit.internal.collection.bytes;

import dev.arenakit.collection.BytesLongMap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Hashes of keys of bytes, and the arrays of keys that are texts.
class BytesHashTest {
    private static final int COUNT = 1 << 16;

    @Test
    void of_anyRange_isTheSameForArraysAndSegments() {
        BytesHash hash = new BytesHash(1, 2, 3);
        byte[] bytes = new byte[200];
        new Random(3).nextBytes(bytes);
        for (int size = 0; size < 100; size++) {
            for (int offset = 0; offset < 9; offset++) {
                assertThat(hash.of(MemorySegment.ofArray(bytes), offset, size))
                        .isEqualTo(hash.of(bytes, offset, size));
            }
        }
    }

    /// Each byte counts, and so does the size.
    @Test
    void of_bytesWithOneDifference_differs() {
        BytesHash hash = BytesHash.random();
        for (int size = 0; size < 80; size++) {
            Set<Long> hashes = new HashSet<>();
            byte[] bytes = new byte[size];
            hashes.add(hash.of(bytes, 0, size));
            for (int i = 0; i < size; i++) {
                bytes[i] = 1;
                assertThat(hashes.add(hash.of(bytes, 0, size))).isTrue();
                assertThat(BytesHash.equal(MemorySegment.ofArray(new byte[size]), 0, bytes, 0, size)).isFalse();
                assertThat(BytesHash.equal(MemorySegment.ofArray(new byte[size]), 0, MemorySegment.ofArray(bytes), 0,
                        size)).isFalse();
                bytes[i] = 0;
            }
            assertThat(hashes.add(hash.of(new byte[size + 1], 0, size + 1))).isTrue();
        }
    }

    /// Texts with equal `String.hashCode` make a HashMap use trees. The hashes here differ.
    @Test
    void of_keysThatCollideInAString_spreadOverAllGroups() {
        BytesHash hash = BytesHash.random();
        int[] groups = new int[COUNT / 4];
        for (int i = 0; i < COUNT; i++) {
            groups[(int) (hash.of(colliding(i), 0, 32) & (groups.length - 1))]++;
        }
        for (int count : groups) {
            assertThat(count).isLessThan(30);
        }
    }

    @Test
    void seeds_ofTwoMaps_differ() {
        assertThat(BytesHash.random().of(new byte[8], 0, 8)).isNotEqualTo(BytesHash.random().of(new byte[8], 0, 8));
    }

    /// Equal hashes are possible only if the seed is known. They cost time, and no entry is lost.
    @Test
    void find_entriesOfEqualHashes_findsEach() {
        try (BytesIndexOfOneHash index = new BytesIndexOfOneHash()) {
            for (int i = 0; i < 300; i++) {
                index.add(i);
            }
            for (int i = 0; i < 300; i += 2) {
                assertThat(index.remove(i)).isTrue();
            }
            for (int i = 0; i < 300; i++) {
                assertThat(index.has(i)).isEqualTo(i % 2 == 1);
            }
        }
    }

    @Test
    void text_withHalfASurrogatePair_isRefused() {
        try (BytesLongMap map = BytesLongMap.owning(Arena::ofConfined)) {
            assertRefused(() -> map.put("a\uD800b", 1), "index=1, char=0xd800");
            assertThatThrownBy(() -> map.get("\uDC00", 1)).isInstanceOf(IllegalArgumentException.class);
            assertThat(map.size()).isZero();
        }
    }

    /// Returns a string out of 2^16 strings of 32 characters with the same hash code.
    private static byte[] colliding(int number) {
        byte[] key = new byte[32];
        for (int i = 0; i < 16; i++) {
            boolean isFirst = (number >> i & 1) == 0;
            key[2 * i] = (byte) (isFirst ? 'A' : 'B');
            key[2 * i + 1] = (byte) (isFirst ? 'a' : 'B');
        }
        return key;
    }

    /// An index whose entries all have the same hash.
    private static final class BytesIndexOfOneHash implements AutoCloseable {
        private static final long HASH = 0x1234_5678_9ABC_DEF0L;
        private static final long MASK = 127;

        private final Arena arena = Arena.ofConfined();
        private final MemorySegment slots = arena.allocate((MASK + 1) << 6, 64);

        void add(long entry) {
            SlotGroups.link(slots, MASK, HASH & MASK, HASH, entry);
        }

        boolean has(long entry) {
            try {
                return SlotGroups.find(slots, MASK, HASH, entry) >= 0;
            } catch (java.util.ConcurrentModificationException e) {
                return false;
            }
        }

        boolean remove(long entry) {
            SlotGroups.unlink(slots, MASK, SlotGroups.find(slots, MASK, HASH, entry), _ -> HASH);
            return !has(entry);
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    private final KeyText texts = new KeyText();

    @Test
    void take_afterShortText_returnsTheSameArray() {
        byte[] array = texts.take("a".repeat(1_000));
        texts.giveBack(array);
        assertThat(texts.take("b")).isSameAs(array);
    }

    @Test
    void take_afterLongText_returnsAnotherArray() {
        byte[] array = texts.take("a".repeat(1_000_000));
        texts.giveBack(array);
        assertThat(texts.take("b").length).isLessThan(100_000);
    }
}
