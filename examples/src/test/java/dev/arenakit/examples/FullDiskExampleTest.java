package dev.arenakit.examples;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Runs the transcripts of docs/reliability.md on a disk of 16 MiB, which only the process of a run sees.
@Tag("full")
class FullDiskExampleTest {
    private static final String COMMAND = "$ java … FullDiskExample ";

    @TempDir
    private Path disk;

    @ParameterizedTest
    @ValueSource(strings = {"sparse", "reserved"})
    void main_onAFullDisk_printsTheTranscript(String mode) throws Exception {
        List<String> mount = List.of("unshare", "-rm", "/bin/sh", "-c",
                "mount -t tmpfs -o size=16m tmpfs \"$0\" && exec \"$@\"", disk.toString());
        assumeTrue(canMount(mount), "needs a file system of its own: unshare -rm, and mount");
        List<String> command = new ArrayList<>(mount);
        // Compiled code reports the fault in other words, and later.
        command.addAll(JavaCommand.of("-Xint", "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"), FullDiskExample.class.getName(), mode, disk.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> printed = new String(process.getInputStream().readAllBytes(), UTF_8).lines()
                .filter(line -> !line.startsWith("\tat "))
                .toList();
        String transcript = Page.read(Path.of("..", "docs", "reliability.md"))
                .blocks("")
                .stream()
                .filter(block -> block.startsWith(COMMAND + mode))
                .findFirst()
                .orElseThrow();
        assertThat(printed).isEqualTo(transcript.lines().skip(1).toList());
    }

    private static boolean canMount(List<String> mount) throws InterruptedException {
        List<String> command = new ArrayList<>(mount);
        command.add("true");
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
        } catch (IOException _) {
            return false;
        }
    }
}
