package dev.arenakit.contracttest;

import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import java.util.OptionalLong;
import org.junit.jupiter.api.Nested;

/// Before anything is planted in it, the arena that the faults are planted in keeps the contract.
class TinyArenaContractTest {

    /// Arenas of one pool with the given claims.
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
