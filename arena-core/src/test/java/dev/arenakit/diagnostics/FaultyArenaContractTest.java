package dev.arenakit.diagnostics;

import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;

/// The contract of every arena, for an arena whose predicate refuses nothing.
class FaultyArenaContractTest implements ArenaContract {
    @Override
    public Arena open() {
        return FaultyArena.wrap(Arena.ofShared(), _ -> false);
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofShared().withAllocations(100);
    }
}
