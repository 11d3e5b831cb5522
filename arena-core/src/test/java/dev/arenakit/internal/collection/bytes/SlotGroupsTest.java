package dev.arenakit.internal.collection.bytes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SlotGroupsTest {
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
