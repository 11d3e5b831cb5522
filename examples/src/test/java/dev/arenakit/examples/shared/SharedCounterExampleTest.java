package dev.arenakit.examples.shared;

import dev.arenakit.examples.CapturedOutput;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class SharedCounterExampleTest {
    @Test
    void run_twoProcesses_countToTenMillionTogether(@TempDir Path directory) throws Exception {
        CapturedOutput printed = new CapturedOutput();
        SharedCounterExample.run(printed.stream(), directory, 1_000_000);
        assertThat(printed.toString())
                .matches("Two processes have counted to 1,000,000: \\d+\\.\\d ns for each increment\\.\\R");
        assertThat(directory).isEmptyDirectory();
    }
}
