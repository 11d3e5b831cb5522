package dev.arenakit.internal.collection;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests the key whose hash code is the mark of empty slots.
class OrderedSlotsTest {
    private static final long MISSING = -7;

    private final LongSlots slots = new OrderedLongs(
            TableMemory.owning(Arena::ofConfined), 0);
    /// The offset is after the last slot, where this key is.
    private final long key = slots.key(Long.MAX_VALUE);

    @Test
    void get_keyWithTheHashCodeOfEmptySlotsIsAbsent_missing() {
        slots.put(key + 1, 1);

        assertThat(slots.get(key, MISSING)).isEqualTo(MISSING);
        assertThat(slots.find(key)).isEqualTo(LongSlots.ABSENT);
    }

    @Test
    void get_keyWithTheHashCodeOfEmptySlotsAfterGrowth_valueOfTheKey() {
        slots.put(key, 5);
        for (long other = 1; other <= 1_000; other++) {
            slots.put(key + other, other);
        }

        assertThat(slots.get(key, MISSING)).isEqualTo(5);
        assertThat(slots.key(slots.find(key))).isEqualTo(key);
        assertThat(slots.size()).isEqualTo(1_001);
    }

    @Test
    void addTo_keyWithTheHashCodeOfEmptySlots_addedAndThenSummed() {
        assertThat(slots.addTo(key, 2)).isEqualTo(2);
        assertThat(slots.addTo(key, 3)).isEqualTo(5);
        assertThat(slots.get(key, MISSING)).isEqualTo(5);
        assertThat(slots.size()).isEqualTo(1);
    }

    @Test
    void remove_keyWithTheHashCodeOfEmptySlots_absent() {
        slots.put(key, 5);

        slots.remove(key);

        assertThat(slots.get(key, MISSING)).isEqualTo(MISSING);
        assertThat(slots.next(0)).isEqualTo(LongSlots.ABSENT);
    }

    @Test
    void get_keyWithTheHashCodeOfEmptySlotsInClosedTable_throws() {
        slots.close();

        assertThatThrownBy(() -> slots.get(key, MISSING)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> slots.addTo(key, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> slots.find(key)).isInstanceOf(IllegalStateException.class);
    }
}
