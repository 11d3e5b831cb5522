package com.example;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.junit.NoLeaks;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

@NoLeaks
class WordsTest {
    private static final SlabPool POOL = SlabPool.create();

    @Test
    void copy_hasTheText() {
        try (SlabArena arena = POOL.openConfined()) { // Without try, the test fails, and names this line.
            assertEquals("two words", arena.allocateFrom("two words").getString(0));
        }
    }
}
