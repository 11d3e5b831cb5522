package dev.arenakit;

import dev.arenakit.testing.ChildJvm;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// A stack that overflows between any two steps of a structure whose keys are bytes.
class BytesOverflowTest {
    @Test
    void anyChange_whenTheStackOverflowsInIt_losesNothing() {
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED", "-Xint", "-Xss256k")
                .run(BytesOverflowSession.class)).isEqualTo(new ChildJvm.Result(0, "nothing lost\n"));
    }
}
