package com.example;

import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;

class CacheLineArenaTest implements ArenaContract {
    @Override
    public Arena open() {
        return new CacheLineArena();
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofConfined();
    }
}
