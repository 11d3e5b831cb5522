package dev.arenakit;

import dev.arenakit.testing.ChildJvm;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Structures whose keys are bytes create no garbage, whether compiled or not: nothing depends on escape analysis.
class StructureGarbageTest {
    @Test
    void lookUpsAndIterations_createNoGarbage() {
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED")
                .run(StructureGarbageSession.class)).isEqualTo(new ChildJvm.Result(0, "no garbage\n"));
    }
}
