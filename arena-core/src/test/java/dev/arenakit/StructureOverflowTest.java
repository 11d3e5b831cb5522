package dev.arenakit;

import dev.arenakit.internal.PageMappings;
import dev.arenakit.testing.ChildJvm;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// A stack that overflows between any two steps of a structure, in particular while it grows.
class StructureOverflowTest {
    @Test
    void add_whenTheStackOverflowsInIt_losesAndLeaksNothing() throws ClassNotFoundException {
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED", "-Xint", "-Xss256k")
                .run(Class.forName("dev.arenakit.collection.StructureOverflowSession")))
                .isEqualTo(new ChildJvm.Result(0, "nothing lost\n"));
    }

    @Test
    void addAndRemove_whenTheStackOverflowsInThem_changeAllOrNothing() throws ClassNotFoundException {
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED", "-Xint", "-Xss256k")
                .run(Class.forName("dev.arenakit.collection.ByteStructureOverflowSession")))
                .isEqualTo(new ChildJvm.Result(0, "nothing lost\n"));
    }

    @Test
    void ensureCapacity_whenTheStackOverflowsInTheAdviceForHugePages_keepsNoFreedMemory()
            throws ClassNotFoundException {
        assumeTrue(PageMappings.isSupported(), "This system has no huge pages");
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED", "-Xint", "-Xss256k")
                .run(Class.forName("dev.arenakit.internal.collection.AdviceOverflowSession")))
                .isEqualTo(new ChildJvm.Result(0, "nothing lost\n"));
    }
}
