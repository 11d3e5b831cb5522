package dev.arenakit.mapped;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/// Files that their owner alone may read and write, made and opened without following a link that somebody has planted.
final class OwnFiles {
    /// Of the mode of a directory: only its owner and that of a file may remove the file.
    private static final int STICKY = 01000;

    /// `CREATE_NEW`, because plain `CREATE` would follow a symbolic link. `SPARSE` is what Windows needs to be told;
    /// elsewhere files have holes without asking.
    private static final Set<OpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
            StandardOpenOption.WRITE, StandardOpenOption.SPARSE);
    private static final Set<OpenOption> EXISTING = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
    private static final Set<OpenOption> NEW_OR_EXISTING = Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ,
            StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private OwnFiles() {}

    static FileChannel create(Path file) throws IOException {
        return FileChannel.open(file, NEW, ownerOnly(file));
    }

    static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, EXISTING);
    }

    /// Opens a file that may be somebody else's.
    static FileChannel openToRead(Path file) throws IOException {
        // Before it is opened: to open a pipe is to wait for who writes to it.
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException("Not a regular file: path=" + file);
        }
        return FileChannel.open(file, StandardOpenOption.READ);
    }

    static FileChannel openOrCreate(Path file) throws IOException {
        return FileChannel.open(file, NEW_OR_EXISTING, ownerOnly(file));
    }

    /// Deletes a file if it is there.
    ///
    /// @throws UncheckedIOException when that fails
    static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw FileErrors.delete(file, e);
        }
    }

    /// Writes the names in the directory of a file to the device, where the system can do that.
    static void forceDirectory(Path file) throws IOException {
        // Windows opens no directory, and needs no such thing.
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            force(file.toAbsolutePath().resolveSibling(""));
        }
    }

    /// Writes what is stored in a file to the device.
    static void force(Path path) throws IOException {
        uninterrupted(() -> {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                channel.force(true);
            }
            return path;
        });
    }

    /// Refuses a directory in which any user could remove the files and put others in their place.
    static void checkDirectory(Path base) throws IOException {
        Path directory = base.toAbsolutePath().resolveSibling("");
        PosixFileAttributeView view = Files.getFileAttributeView(directory, PosixFileAttributeView.class);
        if (view == null || !Files.isDirectory(directory)
                || !view.readAttributes().permissions().contains(PosixFilePermission.OTHERS_WRITE)) {
            return;
        }
        if (((int) Files.getAttribute(directory, "unix:mode") & STICKY) == 0) {
            throw new FileSystemException(directory.toString(), null, "any user may replace files in it");
        }
    }

    /* A channel closes itself when its thread is interrupted, also by an interrupt from long ago. Allocation is not a
     * blocking operation that a caller would expect to be cut short, so the interrupt is put aside and restored. */
    static <T> T uninterrupted(Action<T> action) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return action.run();
                } catch (ClosedByInterruptException _) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[]{PosixFilePermissions.asFileAttribute(
                        EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE))}
                : new FileAttribute<?>[0];
    }

    /// What opens its channel anew each time it is run.
    @FunctionalInterface
    interface Action<T> {
        T run() throws IOException;
    }
}
