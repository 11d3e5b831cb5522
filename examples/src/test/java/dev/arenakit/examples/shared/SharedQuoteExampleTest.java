package dev.arenakit.examples.shared;

import dev.arenakit.examples.CapturedOutput;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class SharedQuoteExampleTest {
    @Test
    void run_readersOfAQuote_seeNoMixture(@TempDir Path directory) throws Exception {
        CapturedOutput printed = new CapturedOutput();
        SharedQuoteExample.run(printed.stream(), directory, 100_000);
        assertThat(printed).hasToString("Two readers have seen no mixture of 100,000 quotes.\n");
        assertThat(directory).isEmptyDirectory();
    }
}
