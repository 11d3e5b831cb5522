package dev.arenakit;

import dev.arenakit.testing.ChildJvm;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// A stack that overflows between any two steps of an arena.
class StackOverflowTest {
    @Test
    void anyOperation_whenTheStackOverflowsInIt_givesNoMemoryTwice() {
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED", "-Xint", "-Xss256k")
                .run(StackOverflowSession.class)).isEqualTo(new ChildJvm.Result(0, "nothing twice\n"));
    }

    @Test
    void offsetAllocator_whenTheStackOverflowsInIt_givesNoBlockTwiceAndLosesNone() {
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED", "-Xint", "-Xss256k")
                .run(OffsetAllocatorStackSession.class)).isEqualTo(new ChildJvm.Result(0, "nothing twice\n"));
    }
}
