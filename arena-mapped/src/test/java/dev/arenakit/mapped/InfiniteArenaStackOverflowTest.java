package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests that a stack that overflows while memory is made leaves nothing behind. Each test takes a second, for a JVM
/// that interprets.
class InfiniteArenaStackOverflowTest extends InDirectory {
    InfiniteArenaStackOverflowTest() throws IOException {
        super(TestFileSystem.BUILD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "growable"})
    void allocate_whenTheStackOverflowsInIt_leavesNoFileAndTheArenaUsable(String what) throws Exception {
        ProcessBuilder command = ChildJvm.denied("-Xint").command(StackOverflowChild.class, what, base.toString());
        assertThat(ChildJvm.run(command))
                .isEqualTo("overflows=true successes=true files=0 allocations=0 problems=[]\n");
    }
}
