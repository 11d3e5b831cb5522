package dev.arenakit.internal.collection.bytes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SlotGroupsTest {
    /// Bytes of a word of tags.
    private static final int SLOTS = 7;

    @Test
    void matches_ofEachTag_areNotThoseOfEmptySlots() {
        for (long bits = 0; bits < 256; bits++) {
            long tag = SlotGroups.tag(bits << 40);
            assertThat(tag).isBetween(1L, 255L);
            for (int used = 0; used < 1 << SLOTS; used++) {
                long tags = 0;
                for (int i = 0; i < SLOTS; i++) {
                    tags |= (((used >> i) & 1) * tag) << (8 * i);
                }
                for (long matches = SlotGroups.matches(tags, tag); matches != 0; matches &= matches - 1) {
                    int slot = (int) (SlotGroups.slotOffset(matches) / 8) - 1;
                    assertThat(used >> slot & 1).as("used").isEqualTo(1);
                }
            }
        }
    }

    @Test
    void unlink_inFullGroups_readsNoOtherKey() {
        long mask = 15;
        long[] hashes = new long[80];
        Random random = new Random(1);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment slots = SlotGroups.align(arena.allocate(SlotGroups.byteSize(mask + 1)), mask + 1);
            for (int i = 0; i < hashes.length; i++) {
                hashes[i] = random.nextLong();
                SlotGroups.link(slots, mask, hashes[i] & mask, hashes[i], i);
            }
            long[] read = {0};
            for (int i = 0; i < hashes.length; i++) {
                SlotGroups.unlink(slots, mask, SlotGroups.find(slots, mask, hashes[i], i), entry -> {
                    read[0]++;
                    return hashes[(int) entry];
                });
                for (int j = i + 1; j < hashes.length; j++) {
                    assertThat(SlotGroups.find(slots, mask, hashes[j], j)).isNotNegative();
                }
            }
            assertThat(read[0]).isZero();
            for (long group = 0; group <= mask; group++) {
                assertThat(slots.get(ValueLayout.JAVA_LONG, group << SlotGroups.GROUP_BYTE_SHIFT)).isZero();
            }
        }
    }

    /// The slots of keys that are far from their group do not have their distance.
    @Test
    void unlink_manyKeysOfOneGroup_leavesTheOthersToBeFound() {
        long mask = 63;
        int keys = 300;
        Random random = new Random(1);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment slots = SlotGroups.align(arena.allocate(SlotGroups.byteSize(mask + 1)), mask + 1);
            long[] hashes = random.longs(keys).map(hash -> (hash & ~mask) | 60).toArray();
            for (int i = 0; i < keys; i++) {
                SlotGroups.link(slots, mask, 60, hashes[i], i);
            }
            for (int i = 0; i < keys; i++) {
                SlotGroups.unlink(slots, mask, SlotGroups.find(slots, mask, hashes[i], i),
                        entry -> hashes[(int) entry]);
                for (int j = i + 1; j < keys; j++) {
                    assertThat(SlotGroups.find(slots, mask, hashes[j], j)).isNotNegative();
                }
            }
        }
    }
}
