package dev.arenakit.mapped.internal.catalog;

import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests identifications of the start of the machine by its clocks and processes.
class BootIdTest {
    private static final long TIME = Instant.parse("2026-11-29T07:00:00Z").toEpochMilli();
    private static final long DAY = 86_400_000;

    /// No machine starts in less than a millisecond, and none is off for less.
    @Test
    void isSame_afterARestart_isFalse() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            long uptime = 1 + random.nextLong(1L << (1 + random.nextInt(40)));
            long other = 1 + random.nextLong(1L << (1 + random.nextInt(40)));
            long off = 1 + random.nextLong(1L << random.nextInt(20));
            long time = TIME + 1000 * DAY * 365;
            long before = BootId.ofClocks(time, uptime);
            long after = BootId.ofClocks(time + off + other, other);
            assertThat(BootId.isSame(before, after)).as("uptime=%d, off=%d, other=%d", uptime, off, other).isFalse();
        }
    }

    @ValueSource(longs = {0, 1, 900, 1_900, -1, -1_900})
    @ParameterizedTest
    void isSame_clocksDifferALittle_isTrue(long difference) {
        long before = BootId.ofClocks(TIME, DAY);
        assertThat(BootId.isSame(before, BootId.ofClocks(TIME + DAY + difference, 2 * DAY))).isTrue();
    }

    @Test
    void isSame_soonAfterTheStart_allowsAQuarterOfTheTime() {
        long before = BootId.ofClocks(TIME, 1_000);
        assertThat(BootId.isSame(before, BootId.ofClocks(TIME + DAY + 250, 1_000 + DAY))).isTrue();
        assertThat(BootId.isSame(before, BootId.ofClocks(TIME + DAY + 251, 1_000 + DAY))).isFalse();
    }

    @Test
    void isSame_clockWasSet_isFalse() {
        long before = BootId.ofClocks(TIME, DAY);
        assertThat(BootId.isSame(before, BootId.ofClocks(TIME + 2_001, DAY))).isFalse();
        assertThat(BootId.isSame(before, BootId.ofClocks(TIME - 2_001, DAY))).isFalse();
    }

    @Test
    void ofClocks_clockThatBeginsAtAFixedTime_isUnknown() {
        assertThat(BootId.ofClocks(5_000, 5_000)).isEqualTo(BootId.UNKNOWN);
        assertThat(BootId.ofClocks(Instant.parse("2025-12-31T00:00:00Z").toEpochMilli(), 5_000))
                .isEqualTo(BootId.UNKNOWN);
        assertThat(BootId.isSame(BootId.UNKNOWN, BootId.UNKNOWN)).isFalse();
    }

    @Test
    void ofProcesses_calledTwice_isTheSame() {
        assertThat(BootId.ofProcesses()).isEqualTo(BootId.ofProcesses()).isNotEqualTo(BootId.UNKNOWN);
    }
}
