package dev.arenakit.bench.candidate.stored;

import dev.arenakit.bench.candidate.peer.BuildDirectory;
import dev.arenakit.bench.candidate.peer.UnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// A new directory for the files of a store or of a connection, in memory or on a disk.
///
/// It is deleted at the latest when the JVM ends, but not if the JVM is killed.
public final class StoreDirectory implements AutoCloseable {
    /// Files in memory.
    public static final String TMPFS = "tmpfs";

    /// Files on the disk of the build directory.
    public static final String DISK = "disk";

    private static final Path TMPFS_ROOT = Path.of("/dev/shm");

    private final Path path;
    private final Thread hook = new Thread(this::delete, "end of the store");

    private StoreDirectory(Path path) {
        this.path = path;
    }

    /// Creates a directory.
    ///
    /// @param files [#TMPFS] or [#DISK]
    /// @return the directory
    /// @throws UnavailableException if the machine has none of that kind in the usual place
    public static StoreDirectory create(String files) {
        boolean isTmpfs = files.equals(TMPFS);
        Path root = isTmpfs ? TMPFS_ROOT : BuildDirectory.resolve("stores");
        try {
            if (!isTmpfs) {
                Files.createDirectories(root);
            } else if (!Files.isDirectory(root)) {
                throw new UnavailableException("There is no tmpfs: directory=" + root);
            }
            String type = Files.getFileStore(root).type();
            if (isTmpfs != type.equals(TMPFS)) {
                throw new UnavailableException(
                        "The file system is of the wrong kind: directory=" + root + ", type=" + type);
            }
            StoreDirectory created = new StoreDirectory(Files.createTempDirectory(root, "arenakit-bench-"));
            Runtime.getRuntime().addShutdownHook(created.hook);
            return created;
        } catch (IOException e) {
            throw new UncheckedIOException("No directory for a store: directory=" + root, e);
        }
    }

    /// {@return the path of the directory}
    public Path path() {
        return path;
    }

    /// Deletes the files of a store that is closed. The directory stays.
    public void clear() {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The files of a store were not deleted: directory=" + path, e);
        }
    }

    private void delete() {
        clear();
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException("The directory of a store was not deleted: directory=" + path, e);
        }
    }

    /// Deletes the directory and the files of a store that is closed.
    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(hook);
        delete();
    }
}
