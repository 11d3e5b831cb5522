package dev.arenakit.mapped.io;

import dev.arenakit.mapped.InDirectory;
import dev.arenakit.mapped.TestFileSystem;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests windows in other processes, which have limits. `PortableTest` denies them native access.
@Tag("full")
class MappedWindowsProcessTest extends InDirectory {
    private final Path file = Files.createFile(directory.resolve("file"));

    MappedWindowsProcessTest() throws IOException {
        super(TestFileSystem.BUILD);
    }

    @Test
    void lease_underALimitOnAddresses_dropsIdleWindowsAndNoOthers() throws Exception {
        Path shell = Path.of("/bin/sh");
        assumeTrue(Files.isExecutable(shell), "needs a shell");
        List<String> command = new ArrayList<>(
                List.of(shell.toString(), "-c", "ulimit -v 16777216 && exec \"$@\"", "sh"));
        command.addAll(nativeAccess("limit").command());
        String output = ChildJvm.run(new ProcessBuilder(command).redirectErrorStream(true));

        assertThat(output.lines().toList()).satisfiesExactly(
                line -> assertThat(number(line, "all were mapped, idle windows: ")).isBetween(10, 64),
                line -> assertThat(line).contains("Address space is exhausted", "path=" + file, "ulimit -v"),
                line -> assertThat(number(line, "leases: ")).isBetween(10, 64));
    }

    private static int number(String line, String words) {
        assertThat(line).startsWith(words);
        return Integer.parseInt(line.substring(words.length()));
    }

    @Test
    void access_beyondTheEndOfATruncatedFile_isAnErrorOfJava() throws Exception {
        Process process = nativeAccess("truncated").start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(1);
        assertThat(output).contains("before the end: 42", "java.lang.InternalError").doesNotContain("beyond");
    }

    private ProcessBuilder nativeAccess(String scenario) {
        return ChildJvm.granted().command(WindowsChild.class, scenario, file.toString());
    }
}
