package dev.arenakit.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests of directories with an image whose name is not text: `b` and the byte 0xff.
@Tag("full")
class UnnamedImageTest {
    private final Path directory;

    UnnamedImageTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @BeforeEach
    void makeImage() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "needs /bin/sh");
        TestImage.closed(directory.resolve("a"));
        run("name=$(printf 'b\\377'); cp a.catalog \"$name.catalog\"; cp a-0 \"$name-0\"; : >\"$name.txt\"");
    }

    private void run(String script) throws IOException, InterruptedException {
        int exitCode = new ProcessBuilder("/bin/sh", "-c", script).directory(directory.toFile())
                .inheritIO()
                .start()
                .waitFor();
        assumeTrue(exitCode == 0, "the file system has no such names");
    }

    private ToolRun of(String... command) {
        String[] line = Arrays.copyOf(command, command.length + 1);
        line[command.length] = directory.toString();
        ToolRun run = ToolRun.of(line);
        assertThat(run.err()).hasLineCount(1)
                .startsWith("arena: " + directory.resolve("b"))
                .contains(".catalog: its name is no text in ");
        return run;
    }

    @Test
    void unnamedImage_ls_isReportedAndNotListed() {
        assertThat(of("ls").exits(1).out()).hasLineCount(2).contains("\na ");
    }

    @Test
    void unnamedImage_verify_couldNotRead() {
        assertThat(of("verify").exits(3).out()).hasLineCount(1).startsWith(directory.resolve("a") + ": no problem");
    }

    @Test
    void unnamedImage_purge_isKept() throws IOException {
        assertThat(of("purge", "--yes").exits(1).out()).hasLineCount(2)
                .startsWith("removed " + directory.resolve("a") + ": ");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(Path::toString)).hasSize(3).allMatch(name -> name.contains("/b"));
        }
    }
}
