package dev.arenakit.examples.calls;

import dev.arenakit.examples.CapturedOutput;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Compares the output of the programs, except the times.
@EnabledOnOs(value = OS.LINUX, architectures = {"amd64", "aarch64"})
@Tag("full")
class CallsTest {
    private static final String TIME = " [\\d.,]+ \\([\\d.,]+[.][.][\\d.,]+\\) ";

    @TempDir
    private Path directory;

    @Test
    void randomBlocks_ofEachReader_areComparedAndTimed() throws Exception {
        CapturedOutput printed = new CapturedOutput();
        RandomBlocks.run(printed.stream(), directory, 4 << 20, 150, 1);
        assertRows(printed, "FileChannel | the other", List.of("preadv, in the page cache",
                "pread in C, in the page cache", "io_uring, in the page cache", "preadv, from the disk",
                "pread in C, from the disk", "io_uring, from the disk"));
    }

    @Test
    void callTimes_ofEachBatch_arePrinted() throws Exception {
        CapturedOutput printed = new CapturedOutput();
        CallTimes.run(printed.stream(), directory, 1);
        assertRows(printed, "a call each | one call", List.of("pread, 64 bytes: preadv",
                "pread, 64 bytes: a loop in C", "strlen, 6 characters: a loop in C"));
    }

    private void assertRows(CapturedOutput printed, String head, List<String> rows) {
        assertThat(directory).isEmptyDirectory();
        List<String> lines = printed.toString().lines().toList();
        assertThat(lines.subList(0, 2)).containsExactly("| ns/op | " + head + " | ratio |", "|---|---|---|---|");
        List<String> skipped = lines.stream().filter(line -> line.contains("| skipped |")).toList();
        assumeTrue(skipped.isEmpty(), () -> String.join("; ", skipped));
        assertThat(lines.stream().skip(2).map(line -> line.replaceAll(TIME + "[|]" + TIME + "[|] [\\d.]+ ", "")))
                .containsExactlyElementsOf(rows.stream().map(row -> "| " + row + " ||").toList());
    }
}
