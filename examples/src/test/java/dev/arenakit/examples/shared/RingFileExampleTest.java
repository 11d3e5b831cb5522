package dev.arenakit.examples.shared;

import dev.arenakit.examples.CapturedOutput;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@EnabledOnOs(OS.LINUX)
@Tag("full")
class RingFileExampleTest {
    @Test
    void run_ordersOfTwoProcesses_arriveOnceAndInOrder(@TempDir Path directory) throws Exception {
        CapturedOutput printed = new CapturedOutput();
        RingFileExample.run(printed.stream(), directory, 100_000);
        assertThat(printed).hasToString("200,000 orders of two processes have arrived, skipped claims: 1\n");
        assertThat(directory).isEmptyDirectory();
    }
}
