package dev.arenakit.mapped.internal.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/// A file that is written beside its path, and then renamed: the path leads to the complete file, or to what it led to
/// before.
///
/// The file is written in a new directory that only this user may enter, whatever program writes it.
public final class FileReplacement implements Closeable {
    private final Path target;
    private final Path directory;

    private FileReplacement(Path target, Path directory) {
        this.target = target;
        this.directory = directory;
    }

    /// Begins a file.
    ///
    /// @param target the path that the file gets in the end
    /// @throws IOException if nothing can be created in the directory of the path
    public static FileReplacement of(Path target) throws IOException {
        Path directory = target.toAbsolutePath().resolveSibling(".arenakit-" + UUID.randomUUID());
        boolean isPosix = target.getFileSystem().supportedFileAttributeViews().contains("posix");
        Files.createDirectory(directory, isPosix
                ? new FileAttribute<?>[]{
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))}
                : new FileAttribute<?>[0]);
        return new FileReplacement(target, directory);
    }

    /// The path at which the caller writes the file.
    public Path written() {
        return directory.resolve("written");
    }

    /// Renames the file, which the caller has completed and closed. It replaces an existing file.
    public void commit() throws IOException {
        Files.move(written(), target, StandardCopyOption.ATOMIC_MOVE);
    }

    /// Deletes what was written, unless it has its path now.
    @Override
    public void close() throws IOException {
        if (Files.exists(directory)) {
            List<Path> paths;
            try (Stream<Path> tree = Files.walk(directory)) {
                paths = tree.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path path : paths) {
                Files.deleteIfExists(path);
            }
        }
    }
}
