package dev.arenakit.junit;

import dev.arenakit.MallocArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// The snippets of the documentation.
final class NoLeaksSnippets {
    private NoLeaksSnippets() {}

    // @start region="noLeaks"
    @NoLeaks
    static class ParserTest {
        @Test
        void parse_fails_closesItsArena(TestArenas arenas) {
            MallocArena arena = arenas.watch(MallocArena.ofConfined());
            MemorySegment text = arena.allocateFrom("[1, 2");
            assertThat(text.byteSize()).isEqualTo(6);
            // The test fails: "An arena was opened here and not closed".
        }

        @Test
        void parse_succeeds_closesItsArena(Arena arena) {
            try (arena) {
                assertThat(arena.allocateFrom("[1, 2]").byteSize()).isEqualTo(7);
            }
        }
    }
    // @end
}
