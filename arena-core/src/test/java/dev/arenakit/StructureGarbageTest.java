package dev.arenakit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Structures whose keys are bytes create no garbage, whether compiled or not: nothing depends on escape analysis.
class StructureGarbageTest {
    @ParameterizedTest
    @ValueSource(strings = {"-XX:TieredStopAtLevel=1", "-Xbatch"})
    void lookUpsAndIterations_createNoGarbage(String option) {
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED", option)
                .run(StructureGarbageSession.class)).isEqualTo(new ChildJvm.Result(0, "no garbage\n"));
    }
}
