package dev.arenakit.bench;

import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MemoryProfilerTest {
    @Test
    void faults_ofAProgramWithBlanksInItsName_areMinorAndMajor() {
        assertThat(MemoryProfiler.faults("4242 (a (b) c) S 1 4242 4242 0 -1 4194304 1700 99 30 7 12 3 0 0 20 0 17 0"))
                .isEqualTo(1730);
    }

    @Test
    void sum_ofALine_isInBytes() {
        assertThat(MemoryProfiler.size(List.of("VmPeak:\t  900 kB", "VmHWM:\t  123 kB", "VmRSS:\t  100 kB"), "VmHWM:"))
                .isEqualTo(123 * 1024);
    }
}
