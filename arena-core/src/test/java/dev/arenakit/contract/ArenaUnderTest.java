package dev.arenakit.contract;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/// What the suite has to be told about an arena.
interface ArenaUnderTest {

    /// Opens a new arena, owned by the calling thread when it is confined. The suite closes it. Arenas that share memory
    /// through a pool are all opened from the same pool, otherwise nothing is ever lent again.
    Arena open();

    /// What the arena claims.
    Capabilities capabilities();

    /// How much memory the open arenas of [#open] hold at this moment, in any unit that grows with what they allocate and
    /// that closing them brings back. With it the suite also looks for leaks; empty, the default, skips that.
    default OptionalLong held() {
        return OptionalLong.empty();
    }

    /// Leaves bytes other than zero in memory that an arena has given back, in case the next one is lent the same.
    default void dirty() {
        try (Arena arena = open()) {
            for (long byteSize : Sizes.OF_EVERY_CLASS) {
                fillWithOnes(arena.allocate(byteSize, 1));
            }
        }
    }

    private static void fillWithOnes(MemorySegment segment) {
        segment.fill((byte) 0xFF);
    }
}
