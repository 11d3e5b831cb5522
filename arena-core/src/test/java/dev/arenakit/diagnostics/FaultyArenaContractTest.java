package dev.arenakit.diagnostics;

import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/// The contract of every arena, for an arena whose predicate refuses nothing.
class FaultyArenaContractTest {
    @Nested
    class OverConfined implements ArenaContract {
        @Override
        public Arena open() {
            return FaultyArena.wrap(Arena.ofConfined(), _ -> false);
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofConfined().withAllocations(100);
        }
    }

    @Nested
    @Tag("slow")
    class OverShared implements ArenaContract {
        @Override
        public Arena open() {
            return FaultyArena.wrap(Arena.ofShared(), _ -> false);
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofShared().withAllocations(100);
        }
    }
}
