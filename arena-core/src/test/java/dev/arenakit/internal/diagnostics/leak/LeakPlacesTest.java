package dev.arenakit.internal.diagnostics.leak;

import dev.arenakit.diagnostics.Leak;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LeakPlacesTest {
    private static Leak leak(Leak.Reason reason, int line) {
        return new Leak(reason, 1, "arena", "", "main", 1, Duration.ZERO, 8,
                List.of(new StackTraceElement("Type", "method", "Type.java", line)));
    }

    @Test
    void count_ofEachStackAndReason_isItsOwn() {
        LeakPlaces places = new LeakPlaces();
        assertThat(places.count(leak(Leak.Reason.UNREACHABLE, 1))).isOne();
        assertThat(places.count(leak(Leak.Reason.UNREACHABLE, 2))).isOne();
        assertThat(places.count(leak(Leak.Reason.OPEN_TOO_LONG, 1))).isOne();
        assertThat(places.count(leak(Leak.Reason.UNREACHABLE, 1))).isEqualTo(2);
    }

    @Test
    void count_ofMorePlacesThanTheTableHolds_forgetsThePlaceThatLeakedLeastRecently() {
        LeakPlaces places = new LeakPlaces();
        for (int line = 0; line < 1_500; line++) {
            places.count(leak(Leak.Reason.UNREACHABLE, line));
            places.count(leak(Leak.Reason.UNREACHABLE, 0));
        }
        assertThat(places.count(leak(Leak.Reason.UNREACHABLE, 0))).isEqualTo(1_502);
        assertThat(places.count(leak(Leak.Reason.UNREACHABLE, 1_499))).isEqualTo(2);
        assertThat(places.count(leak(Leak.Reason.UNREACHABLE, 1))).isOne();
    }

    @Test
    void isLogged_ofPowersOfTen_isTrue() {
        for (long count = 1; count <= 100_000; count++) {
            assertThat(LeakPlaces.isLogged(count)).isEqualTo(Long.toString(count).matches("10*"));
        }
    }
}
