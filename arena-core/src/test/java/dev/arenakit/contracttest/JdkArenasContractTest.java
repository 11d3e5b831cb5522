package dev.arenakit.contracttest;

import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Nested;

/// The arenas of the JDK are the reference and pass the contract.
class JdkArenasContractTest {

    @Nested
    class OfConfined implements ArenaContract {
        @Override
        public Arena open() {
            return Arena.ofConfined();
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofConfined();
        }
    }

    @Nested
    class OfShared implements ArenaContract {
        @Override
        public Arena open() {
            return Arena.ofShared();
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofShared();
        }
    }
}
