package dev.arenakit.examples.files;

import dev.arenakit.examples.CapturedOutput;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ExtentsExampleTest {
    @Test
    void run_byExtentsAndInFull_findsTheSameNumbers(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("numbers");
        ExtentsExample.create(file, 64 << 20);
        CapturedOutput printed = new CapturedOutput();
        ExtentsExample.run(printed.stream(), file);
        assertThat(printed.toString().replaceAll("[\\d,]+ ms", "… ms")).isEqualTo("""
                sum 136 by extents: … ms
                sum 136 in full: … ms
                """);
    }
}
