package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests in which order the files of a copy are written to the device, by the system calls of the process, and copies
/// of processes without native access.
class ImageCopySyncTest extends InDirectory {
    private static final Pattern CALL = Pattern
            .compile("(?<name>pwrite64|fsync)\\(\\d+<(?<path>[^>]*)>(?:.*, (?<offset>\\d+)(?:\\)| <unfinished).*)?.*");

    ImageCopySyncTest() {
        super(TestFileSystem.BUILD);
    }

    @Test
    void copyToAndRepair_whenTheyReturn_haveSyncedDataThenEntriesThenHeaderThenDirectory() throws Exception {
        using(InfiniteArena.ofShared(base),
                arena -> arena.names().allocate("a", JAVA_INT, 1 << 20).setAtIndex(JAVA_INT, 1, 42));
        List<String> calls = trace(directory.resolve("calls"));
        for (String copy : List.of("copy", "mended")) {
            assertThat(calls).containsSubsequence("write " + copy + ".catalog", "write " + copy + "-0",
                    "sync " + copy + "-0", "sync " + copy + ".catalog", "write header of " + copy + ".catalog",
                    "sync " + copy + ".catalog", "sync " + directory.getFileName());
            assertThat(calls).filteredOn(call -> call.endsWith(copy + "-0")).endsWith("sync " + copy + "-0");
            assertThat(calls).filteredOn(call -> call.endsWith(copy + ".catalog"))
                    .endsWith("sync " + copy + ".catalog", "write header of " + copy + ".catalog",
                            "sync " + copy + ".catalog");
        }
    }

    /// The writes and syncs of the child, in their order.
    private List<String> trace(Path output) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of("strace", "-f", "-qq", "-y", "-e", "trace=fsync,pwrite64", "-e", "signal=none", "-o",
                        output.toString()));
        List<String> probe = new ArrayList<>(command);
        probe.add("true");
        assumeTrue(succeeds(probe), "needs strace: apt-get install strace");
        command.addAll(ChildJvm.granted().command(Child.class, base.toString()).command());
        ChildJvm.run(new ProcessBuilder(command).redirectErrorStream(true));
        List<String> calls = new ArrayList<>();
        for (String line : Files.readAllLines(output)) {
            Matcher call = CALL.matcher(line.substring(line.indexOf(' ') + 1).strip());
            if (call.matches()) {
                String file = String.valueOf(Path.of(call.group("path")).getFileName());
                boolean isHeader = file.endsWith(".catalog") && "0".equals(call.group("offset"));
                calls.add((call.group("name").equals("fsync") ? "sync " : isHeader ? "write header of " : "write ")
                        + file);
            }
        }
        return calls;
    }

    private static boolean succeeds(List<String> command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
        } catch (IOException _) {
            return false;
        }
    }

    @Test
    @Tag("full")
    void copyTo_withoutNativeAccess_isSparse() throws Exception {
        String output = ChildJvm
                .run(ChildJvm.onModulePath(ChildJvm.DENY, "-Xmx64m").command(ChildMain.class, "copy", base.toString()));
        assertThat(output).startsWith("holes unknown: Native access is denied: module=dev.arenakit; start java with "
                + "--enable-native-access=dev.arenakit");
        assertThat(ImageAttachTest.copiedValues(directory)).isLessThan(1 << 20);
    }

    @Test
    @Tag("full")
    void copyTo_withoutAFlag_isSparseAndJavaWarns() throws Exception {
        String output = ChildJvm.run(ChildJvm.onModulePath().command(ChildMain.class, "copy", base.toString()));
        assertThat(output).contains("holes unknown: no").containsOnlyOnce("WARNING: A restricted method");
        assertThat(ImageAttachTest.copiedValues(directory)).isLessThan(1 << 20);
    }

    /// Copies and repairs an image in a process whose system calls a test records.
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) throws IOException {
            Path base = Path.of(arguments[0]);
            using(ArenaImage.open(base), image -> image.copyTo(base.resolveSibling("copy")));
            ImageFiles.repair(base, base.resolveSibling("mended"), _ -> {
                // Nobody watches the progress.
            });
        }
    }
}
