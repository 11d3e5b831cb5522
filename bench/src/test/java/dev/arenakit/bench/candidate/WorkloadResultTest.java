package dev.arenakit.bench.candidate;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class WorkloadResultTest {
    @Test
    void result_thatDiffersInAnArenaThatIsNotZeroed_saysSo() {
        assertThatIllegalStateException().isThrownBy(() -> compare(Candidates.SLAB_UNZEROED))
                .withMessageStartingWith("The workload has another result than in an arena of the JDK: ")
                .withMessageEndingWith(", expected=0; the arena is not zeroed: write memory before reading it");
        assertThatIllegalStateException().isThrownBy(() -> compare(Candidates.SLAB))
                .withMessageEndingWith("expected=0");
    }

    private static void compare(String provider) {
        Candidate candidate = new Candidate();
        candidate.provider = provider;
        new WorkloadResult().compare(candidate, new WorkloadState() {
            @Override
            public long run(Arena arena) {
                return arena.getClass().getName().startsWith("dev.arenakit") ? 1 : 0;
            }
        });
    }
}
