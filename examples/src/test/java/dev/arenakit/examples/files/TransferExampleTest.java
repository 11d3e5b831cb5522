package dev.arenakit.examples.files;

import dev.arenakit.examples.CapturedOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class TransferExampleTest {
    @Test
    void run_aFile_copiesIt(@TempDir Path directory) throws IOException {
        Path source = Files.write(directory.resolve("source"), new byte[300_000]);
        CapturedOutput printed = new CapturedOutput();
        TransferExample.run(printed.stream(), source, directory.resolve("copy"));
        assertThat(directory.resolve("copy")).hasSameBinaryContentAs(source);
        assertThat(printed).asString().endsWith("300000 of 300000 bytes\n");
    }
}
