package dev.arenakit.bench;

import dev.arenakit.bench.Footprint.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

class FootprintTest {
    // This test takes seconds, since it starts two JVMs with 5,000 threads each.
    @Test
    @EnabledOnOs(OS.LINUX)
    void measure_of5000Arenas_needsLittleMoreThanTheJdkAndReturnsWhatIsTrimmed() {
        Footprint footprint = Footprint.measure(1);
        System.out.print(footprint);

        // Slabs that are touched as a whole take 312 MiB more.
        assertThat(footprint.pool().getFirst().residentByteSize())
                .isLessThan(footprint.confined().getFirst().residentByteSize() + (40 << 20));
        assertThat(footprint.pool().getFirst().trimmedByteSize()).isGreaterThanOrEqualTo(900L * 64 * 1024);
        assertThat(footprint.returnedPart()).isBetween(0.9, 1.1);
    }

    @Test
    void toString_ofSeveralForks_hasMedianAndSpread() {
        Footprint footprint = new Footprint(
                List.of(new Figures(3_000_000, 4 << 20, 100 << 20, 99 << 20),
                        new Figures(1_000_000, 2 << 20, 100 << 20, 95 << 20),
                        new Figures(2_000_000, 9 << 20, 100 << 20, 97 << 20)),
                List.of(new Figures(5_000_000, 1 << 20, 0, 0), new Figures(6_000_000, 2 << 20, 0, 0)));

        assertThat(footprint.toString().lines().map(line -> line.replaceAll(" +", " "))).contains(
                "Arena.ofConfined 1.5 1.0..2.0 5.5 5.0..6.0", "SlabArena 4.0 2.0..9.0 2.0 1.0..3.0",
                "trim() after 1,000 full slabs: 100.0 MiB reported, resident size less by 97.0 MiB (97 %)");
    }
}
