package dev.arenakit.bench.candidate.peer;

import dev.arenakit.bench.candidate.ArenaFactory;
import dev.arenakit.bench.candidate.ArenaProvider;
import dev.arenakit.bench.candidate.Candidates;
import dev.arenakit.bench.contract.JUnitContractSuite;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Tag("full")
class PeerArenaTest {
    @Test
    void arenas_ofAPeer_passTheContractOfArenas() {
        ArenaProvider provider = Candidates.find(Candidates.NETTY_ADAPTIVE);
        assumeTrue(isAvailable(provider));

        assertThat(provider.isZeroed()).isFalse();
        assertThatCode(() -> JUnitContractSuite.run(provider)).doesNotThrowAnyException();
    }

    private static boolean isAvailable(ArenaProvider provider) {
        try (ArenaFactory factory = provider.create()) {
            return factory != null;
        } catch (UnavailableException _) {
            return false;
        }
    }
}
