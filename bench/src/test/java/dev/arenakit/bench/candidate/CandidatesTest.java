package dev.arenakit.bench.candidate;

import dev.arenakit.bench.candidate.peer.UnavailableException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CandidatesTest {
    @Test
    void create_ofAPoolThatThisJvmLacks_isRefusedWithWhatItNeeds() {
        ArenaProvider pool = Candidates.find(Candidates.OF_CONFINED_POOL);

        assertThat(pool.jvmArgs()).containsExactly(JvmArgs.CONFINED_POOL_64K);
        assertThatExceptionOfType(UnavailableException.class).isThrownBy(pool::create)
                .withMessageContainingAll("JDK 28 or newer", JvmArgs.CONFINED_POOL_64K);
    }
}
