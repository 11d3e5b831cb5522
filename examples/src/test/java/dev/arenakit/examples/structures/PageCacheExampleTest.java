package dev.arenakit.examples.structures;

import dev.arenakit.examples.CapturedOutput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class PageCacheExampleTest {
    private static final int PAGE = 4_096;
    private static final int PAGES = 3_000;
    /// 7/8 of 4 MiB, with 24 bytes besides each page.
    private static final int CACHED = (4 << 20) / 8 * 7 / (PAGE + 24);

    @Test
    void run_fileLargerThanTheCache_readsAsAnExactLru(@TempDir Path directory) throws Exception {
        byte[] contents = new byte[PAGES * PAGE];
        for (int i = 0; i < PAGES; i++) {
            contents[i * PAGE] = (byte) (i % 100);
        }
        Path file = Files.write(directory.resolve("pages"), contents);

        CapturedOutput output = new CapturedOutput();
        PageCacheExample.run(file, output.stream());

        assertThat(output.toString()).isEqualTo(expected());
    }

    private static String expected() {
        Random random = new Random(1);
        Map<Long, Boolean> cache = new LinkedHashMap<>(16, 0.75f, true);
        long misses = 0;
        long evicted = 0;
        long sum = 0;
        for (int i = 0; i < 100_000; i++) {
            long number = (long) (PAGES * Math.pow(random.nextDouble(), 3));
            sum += number % 100;
            if (cache.put(number, true) == null) {
                misses++;
                if (cache.size() > CACHED) {
                    cache.remove(cache.keySet().iterator().next());
                    evicted++;
                }
            }
        }
        return "100000 reads of 3000 pages, " + misses + " from the file; " + CACHED + " pages in the cache, " + evicted
                + " evicted; sum " + sum + "\n";
    }
}
