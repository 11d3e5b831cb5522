package dev.arenakit.contracttest;

import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import java.util.OptionalLong;
import org.junit.jupiter.api.Nested;

/// The arena that the faults are planted in passes the contract without a fault.
class TinyArenaContractTest {

    /// Arenas of one pool with the given capabilities.
    abstract static class Tiny implements ArenaContract {
        private final TinyPool pool = new TinyPool();
        private final Capabilities capabilities;

        Tiny(Capabilities capabilities) {
            this.capabilities = capabilities;
        }

        @Override
        public Arena open() {
            return new TinyArena(pool, capabilities);
        }

        @Override
        public Capabilities capabilities() {
            return capabilities;
        }

        @Override
        public OptionalLong held() {
            return OptionalLong.of(pool.held.get());
        }
    }

    @Nested
    class Confined extends Tiny {
        Confined() {
            super(Capabilities.ofConfined());
        }
    }

    @Nested
    class Shared extends Tiny {
        Shared() {
            super(Capabilities.ofShared());
        }
    }

    @Nested
    class AlignedToAPage extends Tiny {
        AlignedToAPage() {
            super(Capabilities.ofConfined().withLargestAlignment(4_096));
        }
    }
}
