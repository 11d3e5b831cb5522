package dev.arenakit.mapped;

import dev.arenakit.internal.file.AddressRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// A file system for the files of tests. File systems on a disk and in memory refuse different operations.
public enum TestFileSystem {
    /// The file system of the build.
    BUILD(Path.of("target")),
    /// A tmpfs on Linux. Other systems have the directory of temporary files instead.
    SHARED_MEMORY(Path.of(Files.exists(Path.of("/dev/shm")) ? "/dev/shm" : System.getProperty("java.io.tmpdir")));

    private final Path parent;

    TestFileSystem(Path parent) {
        this.parent = parent;
    }

    /// Creates a directory, which the test removes with [#remove].
    public Path newDirectory() {
        assumeTrue(Files.isWritable(parent), () -> "needs a directory " + parent + " that can be written to");
        try {
            return Files.createTempDirectory(parent.toAbsolutePath(), "arenakit-test");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Skips a test that needs holes of files, memory that can be freed, or files whose size changes while they are
    /// mapped.
    public static void assumeHoles(Path directory) {
        assumeTrue(AddressRange.isKnownFor(directory), "needs holes, and mapped files that change their size");
    }

    /// Skips a test that needs symbolic links.
    public static void assumeLinks(Path directory) throws IOException {
        Path link = directory.resolve("link");
        try {
            assumeTrue(Files.isSymbolicLink(Files.createSymbolicLink(link, Path.of("absent"))), "needs symbolic links");
        } catch (FileSystemException e) {
            abort("needs symbolic links: " + e);
        } finally {
            Files.deleteIfExists(link);
        }
    }

    /// Skips a test that deletes or replaces files in use.
    public static void assumeDeletionOfMappedFiles(Path directory) throws IOException {
        Path file = directory.resolve("mapped");
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            MemorySegment _ = channel.map(MapMode.READ_WRITE, 0, 1, arena);
            Files.delete(file);
            assumeTrue(Files.notExists(file), "needs mapped files that can be deleted");
        } catch (FileSystemException e) {
            abort("needs mapped files that can be deleted: " + e);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /// Builds an arena with structures so small that a test can read their whole files. Where files cannot grow, they
    /// have their largest size at once.
    public static InfiniteArenaBuilder smallStructures(Path base) {
        return InfiniteArena.builder(base).maxStructureByteSize(1 << 24);
    }

    /// Creates a file that nobody but its owner may use.
    public static Path createOwnFile(Path file) throws IOException {
        return forOwnerAlone(Files.createFile(file));
    }

    /// Takes the permissions of other users away.
    public static Path forOwnerAlone(Path file) throws IOException {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"))
                : file;
    }

    /// Skips a test that needs owners and permissions of files.
    public static void assumePermissions(Path directory) {
        assumeTrue(directory.getFileSystem().supportedFileAttributeViews().contains("unix"),
                "needs permissions of POSIX");
    }

    /// Skips a test that needs the limits of ext4, and allocations in several files.
    ///
    /// `FileStore` would search the list of mounts, and fails if another process mounts a file system meanwhile.
    public static void assumeExt4(Path directory) throws IOException {
        assumeHoles(directory);
        Process stat = new ProcessBuilder("stat", "--file-system", "--format=%T", directory.toString())
                .redirectErrorStream(true)
                .start();
        assumeTrue(new String(stat.getInputStream().readAllBytes(), UTF_8).startsWith("ext2"),
                () -> "needs ext4: build in a directory of an ext4 file system, directory=" + directory);
    }

    /// Removes a directory and its contents, which a failed test may have left.
    public static void remove(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /// The files of a directory, in the order of their names.
    public static List<Path> list(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The names in a directory, sorted.
    public static List<String> names(Path directory) {
        return list(directory).stream().map(file -> file.getFileName().toString()).toList();
    }

    /// The sorted names of the files in a directory, without catalogs and lock files.
    public static List<String> dataFiles(Path directory) {
        return names(directory).stream().filter(name -> !name.endsWith(".catalog") && !name.endsWith(".lock")).toList();
    }

    /// Checks the size of the file of memory that grows, where files grow. Otherwise it has its largest size at once.
    public static void assertFileSize(Path file, long byteSize) throws IOException {
        if (AddressRange.isKnownFor(file)) {
            assertThat(Files.size(file)).isEqualTo(byteSize);
        }
    }

    /// Makes a file smaller.
    public static void truncate(Path file, long byteSize) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(byteSize);
        }
    }
}
