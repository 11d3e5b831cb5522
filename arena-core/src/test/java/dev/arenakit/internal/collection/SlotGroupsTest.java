package dev.arenakit.internal.collection;

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
}
