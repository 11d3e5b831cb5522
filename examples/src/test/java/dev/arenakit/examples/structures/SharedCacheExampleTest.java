package dev.arenakit.examples.structures;

import dev.arenakit.examples.CapturedOutput;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class SharedCacheExampleTest {
    private static final int PAGE = 4_096;
    private static final int PAGES = 300;

    @Test
    void run_threadsWantTheSamePages_readsEachOnce(@TempDir Path directory) throws Exception {
        byte[] contents = new byte[PAGES * PAGE];
        for (int i = 0; i < PAGES; i++) {
            contents[i * PAGE] = (byte) (i % 100);
        }
        CapturedOutput output = new CapturedOutput();
        SharedCacheExample.run(Files.write(directory.resolve("pages"), contents), output.stream());
        assertThat(output.toString()).isEqualTo(
                "8 threads, 300 pages, 300 read from the file; 300 pages in the cache; sum " + 8 * 3 * 4_950 + "\n");
    }
}
