package dev.arenakit.diagnostics;

import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.nativecall.NativeCalls;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// The snippets of the documentation work.
class DebugSnippetsTest {
    @Test
    void debug_findsTheOverrun() {
        assumeTrue(PageMappings.isSupported(), "needs guard pages");
        DebugSnippets.debug(segment -> segment.fill((byte) 1));
        assertThatThrownBy(() -> DebugSnippets.debug(segment -> NativeCalls.zero(segment.address(), 104)))
                .isInstanceOf(CorruptedBlockException.class);
    }

    @Test
    void faulty_refusesEachAllocationOnce() {
        List<Integer> allocated = new ArrayList<>();
        DebugSnippets.faulty(arena -> {
            int count = 0;
            try {
                for (; count < 8; count++) {
                    arena.allocate(10);
                }
            } finally {
                allocated.add(count);
            }
        });
        assertThat(allocated).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 8);
    }
}
