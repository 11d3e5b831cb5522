package dev.arenakit.mapped;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// An ext4 file system in a file, whose power a test can cut ([PowerCut]). Only root can mount it.
final class LoopDisk implements AutoCloseable {
    private final Path file;
    private final Path mountPoint;
    private boolean mounted;

    private LoopDisk(Path file, Path mountPoint) {
        this.file = file;
        this.mountPoint = mountPoint;
    }

    /// Makes a file system and mounts it. A test that cannot do that is skipped.
    ///
    /// @param directory an empty directory for the file and the mount point
    /// @param byteSize  the size of the file system
    /// @param options   options of `mkfs.ext4`
    static LoopDisk mount(Path directory, long byteSize, String... options) throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "needs Linux, to mount a file system");
        Path file = directory.toRealPath().resolve("disk");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(byteSize);
        }
        LoopDisk made = new LoopDisk(file, Files.createDirectory(directory.resolve("mounted")));
        List<String> format = new ArrayList<>(List.of("mkfs.ext4", "-q", "-F"));
        format.addAll(List.of(options));
        format.add(file.toString());
        String formatted = run(format.toArray(String[]::new));
        assumeTrue(formatted.isEmpty(), () -> "needs mkfs.ext4: " + formatted);
        String failure = made.tryMount();
        assumeTrue(failure.isEmpty(), () -> "needs root, and loop devices: " + failure);
        return made;
    }

    /// The root directory of the file system.
    Path root() {
        return mountPoint;
    }

    /// Mounts the file system again after its power was cut. The kernel replays the journal, as it does when a machine
    /// starts.
    void restart() throws IOException {
        assertThat(isAlive()).as("power is cut").isFalse();
        unmount();
        assertThat(tryMount()).isEmpty();
        assertThat(isAlive()).isTrue();
    }

    private boolean isAlive() {
        Path probe = mountPoint.resolve("probe");
        try {
            Files.deleteIfExists(probe);
            Files.delete(Files.createFile(probe));
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /// Unmounts the file system, checks it, and mounts it again.
    ///
    /// @return what is wrong with it, or an empty string
    String check() throws IOException {
        unmount();
        String problems = run("e2fsck", "-f", "-n", file.toString());
        assertThat(tryMount()).isEmpty();
        return problems;
    }

    @Override
    public void close() throws IOException {
        if (mounted) {
            unmount();
        }
    }

    private String tryMount() throws IOException {
        String failure = run("mount", "-o", "loop", file.toString(), mountPoint.toString());
        mounted = failure.isEmpty();
        return failure;
    }

    private void unmount() throws IOException {
        String failure = run("umount", mountPoint.toString());
        // A process that has just ended may be using the file system for a moment.
        for (int tries = 0; !failure.isEmpty() && tries < 50; tries++) {
            LockSupport.parkNanos(100_000_000);
            failure = run("umount", mountPoint.toString());
        }
        assertThat(failure).isEmpty();
        mounted = false;
        // A process that was started with mounts of its own has a copy of this one, and keeps the file system until it
        // ends. The kernel gives up the loop device when the last copy is gone.
        while (isAttached()) {
            LockSupport.parkNanos(10_000_000);
        }
    }

    /// Whether a loop device has the file.
    private boolean isAttached() throws IOException {
        try (DirectoryStream<Path> devices = Files.newDirectoryStream(Path.of("/sys/block"), "loop*")) {
            for (Path device : devices) {
                if (backingFile(device).equals(file.toString())) {
                    return true;
                }
            }
            return false;
        }
    }

    private static String backingFile(Path device) {
        try {
            return Files.readString(device.resolve("loop/backing_file")).strip();
        } catch (IOException _) {
            // The device has no file.
            return "";
        }
    }

    /// Runs a command.
    ///
    /// @return an empty string if it has succeeded, or else a message
    private static String run(String... command) throws IOException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        int exitCode = process.onExit().join().exitValue();
        return exitCode == 0 ? "" : List.of(command) + ": exit code " + exitCode + ": " + output;
    }
}
