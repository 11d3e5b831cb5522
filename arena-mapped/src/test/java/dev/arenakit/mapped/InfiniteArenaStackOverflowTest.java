package dev.arenakit.mapped;

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
        ProcessBuilder command = ChildJvm.command(StackOverflowChild.class, what, base.toString());
        command.command().add(1, "-Xint");
        assertThat(ChildJvm.run(command))
                .isEqualTo("overflows=true successes=true files=0 allocations=0 problems=[]\n");
    }
}
