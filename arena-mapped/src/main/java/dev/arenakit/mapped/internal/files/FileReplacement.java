package dev.arenakit.mapped.internal.files;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.stream.Stream;

/// A file that is written beside its path, and then renamed: the path leads to the complete file, or to what it led to
/// before.
///
/// The file is written in a new directory that only this user may enter, whatever program writes it. Only its owner may
/// read it afterwards, as with the files of an image.
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
        boolean isPosix = target.getFileSystem().supportedFileAttributeViews().contains("posix");
        Path directory = Files.createTempDirectory(target.toAbsolutePath().resolveSibling(""),
                ".arenakit-", isPosix
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
        restrict();
        Files.move(written(), target, StandardCopyOption.ATOMIC_MOVE);
    }

    /// Gives the file, which the caller has completed and closed, its path.
    ///
    /// @throws FileAlreadyExistsException if there is a file at the path by now
    public void commitNew() throws IOException {
        restrict();
        try {
            // Unlike a rename, a link replaces nothing.
            Files.createLink(target, written());
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (UnsupportedOperationException | FileSystemException e) {
            // The file system has no links.
            Files.move(written(), target);
        }
    }

    private void restrict() throws IOException {
        if (target.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(written(), FileMode.OWNER_ONLY.permissions());
        }
    }

    /// Deletes what was written, unless it has its path now. Any thread may call this method at any time, and the program
    /// that writes the file may still make or delete files beside it.
    @Override
    public void close() throws IOException {
        while (Files.exists(directory)) {
            try (Stream<Path> tree = Files.walk(directory)) {
                for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            } catch (DirectoryNotEmptyException | NoSuchFileException _) {
                // There is another file now, or another thread has deleted the directory.
            } catch (UncheckedIOException e) {
                if (!(e.getCause() instanceof NoSuchFileException)) {
                    throw e.getCause();
                }
            }
        }
    }
}
