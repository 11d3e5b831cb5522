package dev.arenakit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// A stack that overflows between any two steps of a structure, in particular while it grows.
class StructureOverflowTest {
    @Test
    void add_whenTheStackOverflowsInIt_losesAndLeaksNothing() throws ClassNotFoundException {
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED", "-Xint", "-Xss256k")
                .run(Class.forName("dev.arenakit.collection.StructureOverflowSession")))
                .isEqualTo(new ChildJvm.Result(0, "nothing lost\n"));
    }
}
