package dev.arenakit.bench.candidate;

import dev.arenakit.bench.contract.JUnitContractSuite;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assumptions.assumeThat;

@Tag("full")
class PeerArenaTest {
    // LWJGL's stack is left out, since its frames must be closed in the reverse order of their opening.
    @ParameterizedTest
    @ValueSource(strings = {Candidates.MALLOC_RAW, Candidates.NETTY_ADAPTIVE, Candidates.NETTY_POOLED,
            Candidates.LWJGL_ALLOC})
    void arenas_ofAPeer_passTheContractOfArenas(String name) {
        ArenaProvider provider = Candidates.find(name);
        assumeThat(isAvailable(provider)).isTrue();

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
