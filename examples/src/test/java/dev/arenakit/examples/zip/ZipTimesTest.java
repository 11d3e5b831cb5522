package dev.arenakit.examples.zip;

import dev.arenakit.examples.CapturedOutput;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class ZipTimesTest {
    @TempDir
    private Path directory;

    @Test
    void run_printsALineForEachComparison() throws IOException {
        Path jar = Files.write(directory.resolve("some.jar"), RawZip.empty().stored("a", new byte[]{1}).end(""));
        CapturedOutput printed = new CapturedOutput();
        ZipTimes.run(printed.stream(), directory, List.of(100), List.of(jar), 1);
        assertThat(printed.toString().lines()).hasSize(2 + 6 + 2 + 3)
                .allMatch(line -> line.matches("[|].*[|].*[|].*[|].*[|]"))
                .anyMatch(line -> line.startsWith("| hit, 100 entries | "))
                .anyMatch(line -> line.startsWith("| read all, some.jar | "));
    }

    @Test
    void find_makesNoGarbage() throws IOException {
        Path path = Files.write(directory.resolve("some.zip"),
                RawZip.empty().stored("dir/", new byte[0]).stored("name-of-an-entry", "abc".getBytes(UTF_8)).end(""));
        var thread = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (ZipIndex index = ZipIndex.open(path)) {
            long before = 0;
            long found = 0;
            for (int i = 0; i < 20_000; i++) {
                if (i == 10_000) {
                    before = thread.getCurrentThreadAllocatedBytes();
                }
                long position = index.find("name-of-an-entry");
                found += index.size(position) + index.find("dir") + index.find("no such entry")
                        + (index.isDirectory(position) ? 1 : 0);
            }
            assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
            assertThat(found).isPositive();
        }
    }
}
