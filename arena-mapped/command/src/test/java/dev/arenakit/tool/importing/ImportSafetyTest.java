package dev.arenakit.tool.importing;

import dev.arenakit.testing.ChildJvm;
import dev.arenakit.tool.Main;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests that `arena import` keeps what it has reported, and writes in no directory of another user.
@Tag("full")
class ImportSafetyTest {
    private static final int OTHER_USER = 65_533;
    private static final String TYPE = "struct { int64_t id; };";
    private static final Pattern SYNC = Pattern.compile(".*fsync\\(\\d+<(?<path>[^>]*)>.*");

    private final Path directory;
    private final Path base;

    ImportSafetyTest(@TempDir Path directory) {
        this.directory = directory;
        base = directory.resolve("memory");
    }

    @Test
    void import_directoryOfAnotherUser_isRefusedAndNothingIsMade() throws IOException {
        try {
            Files.setAttribute(directory, "unix:uid", OTHER_USER);
        } catch (IOException e) {
            assumeTrue(false, "needs root, which may give files to other users: " + e);
        }
        assertThat(ToolRun.withInput("id\n1\n".getBytes(UTF_8), "import", base.toString(), "--type", TYPE, "a", "-")
                .exits(1)
                .err()).isEqualTo("arena: " + base + ": another user may replace the files of a directory: "
                        + "directory=" + directory + ", owner=" + OTHER_USER
                        + ", mode=700; make a directory of your own with mkdir -m 700, or use "
                        + "--unsafe-directory\n");
        assertThat(directory).isEmptyDirectory();
        assertThat(ToolRun.withInput("id\n1\n".getBytes(UTF_8), "import", base.toString(), "--type", TYPE, "a", "-",
                "--unsafe-directory").out()).contains("imported 1 struct");
        ToolRun.of("seal", base.toString()).succeeds();
    }

    /// In a volume of Kubernetes, the parent belongs to root, and everybody or a group may write to it.
    @Test
    void import_privateDirectoryOfASharedOne_isMade() throws IOException {
        Path own = Files.createDirectory(directory.resolve("own"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(ToolRun.withInput("id\n1\n".getBytes(UTF_8), "import", own.resolve("memory").toString(), "--type",
                TYPE, "a", "-").out()).contains("imported 1 struct");
    }

    @Test
    void import_whenItSucceeds_hasSyncedDataThenCatalogThenDirectory() throws Exception {
        Path output = directory.resolve("calls");
        List<String> command = new ArrayList<>(
                List.of("strace", "-f", "-qq", "-y", "-e", "trace=fsync", "-e", "signal=none", "-o",
                        output.toString()));
        assumeTrue(succeeds(command), "needs strace: apt-get install strace");
        Path rows = Files.writeString(directory.resolve("rows"), "id\n1\n");
        command.addAll(ChildJvm.granted()
                .command(Main.class, "import", base.toString(), "--type", TYPE, "a", rows.toString())
                .command());
        assertThat(ChildJvm.run(new ProcessBuilder(command).redirectErrorStream(true))).contains("imported 1 struct");
        List<String> synced = new ArrayList<>();
        for (String line : Files.readAllLines(output)) {
            Matcher call = SYNC.matcher(line);
            if (call.matches()) {
                synced.add(String.valueOf(Path.of(call.group("path")).getFileName()));
            }
        }
        // The rows are written to the device before the catalog records them, and then the whole image is.
        assertThat(synced).containsSubsequence("memory-0", "memory-0", "memory.catalog",
                String.valueOf(directory.getFileName()));
    }

    private static boolean succeeds(List<String> tracer) throws InterruptedException {
        List<String> command = new ArrayList<>(tracer);
        command.add("true");
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
        } catch (IOException _) {
            return false;
        }
    }
}
