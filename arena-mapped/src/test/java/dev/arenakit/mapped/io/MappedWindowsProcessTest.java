package dev.arenakit.mapped.io;

import dev.arenakit.mapped.InDirectory;
import dev.arenakit.mapped.TestFileSystem;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
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
        return ChildJvm.granted().command(Child.class, scenario, file.toString());
    }

    /// Scenarios of windows that tests run in a process of their own.
    static final class Child {
        private static final long WINDOW = 256L << 20;

        private Child() {}

        public static void main(String[] arguments) throws IOException {
            Path file = Path.of(arguments[1]);
            switch (arguments[0]) {
                case "limit" -> limit(file);
                case "truncated" -> truncated(file);
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        }

        private static MappedWindows open(Path file) throws IOException {
            return MappedWindows.builder(file).writable().windowByteSize(WINDOW).maxByteSize(1_024 * WINDOW).open();
        }

        /// Exhausts the address space, first with idle windows and then with leased ones.
        private static void limit(Path file) throws IOException {
            try (MappedWindows windows = open(file)) {
                windows.grow(1_000 * WINDOW);
                for (long i = 0; i < 1_000; i++) {
                    windows.lease(i * WINDOW, 8).close();
                }
                System.out.println("all were mapped, idle windows: " + windows.mappedByteSize() / WINDOW);
                Deque<MappedWindow> leases = new ArrayDeque<>();
                try {
                    for (long i = 0; i < 1_000; i++) {
                        leases.add(windows.lease(i * WINDOW, WINDOW));
                    }
                } catch (OutOfMemoryError e) {
                    System.out.println(e.getMessage());
                }
                System.out.println("leases: " + leases.size());
                leases.removeFirst().close();
                windows.lease(WINDOW * 999, 8).close();
                leases.forEach(MappedWindow::close);
            }
        }

        /// Reads beyond the end of a file that was truncated.
        private static void truncated(Path file) throws IOException {
            try (MappedWindows windows = open(file)) {
                windows.grow(WINDOW);
                try (MappedWindow window = windows.lease(0, WINDOW)) {
                    MemorySegment segment = window.segment();
                    segment.set(JAVA_LONG, 0, 42);
                    TestFileSystem.truncate(file, 1 << 20);
                    System.out.println("before the end: " + segment.get(JAVA_LONG, 0));
                    System.out.println("beyond the end: " + segment.get(JAVA_LONG, 1 << 21));
                }
            }
        }
    }
}
