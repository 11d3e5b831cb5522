package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests that no memory is handed out twice if the stack overflows at any depth, in interpreted code and in the code of
/// both compilers.
@Tag("full")
class InfiniteArenaStackOverflowTest extends InDirectory {
    InfiniteArenaStackOverflowTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    @ParameterizedTest
    @CsvSource({"-Xint, 1", "-XX:TieredStopAtLevel=1, 1000", "-XX:TieredStopAtLevel=4, 12000"})
    void allocateOrLease_whenTheStackOverflowsInIt_handsNoMemoryOutTwice(String compiler, String calls)
            throws Exception {
        ProcessBuilder command = ChildJvm.granted(compiler)
                .command(StackOverflowChild.class, directory.toString(), calls);
        assertThat(ChildJvm.run(command)).isEqualTo("checked\n");
    }
}
