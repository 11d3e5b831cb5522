package dev.arenakit.mapped.internal.files;

import dev.arenakit.internal.file.FileExtents;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/// The identity of a mapped data file. Its path may lead to another file by now. As long as the file is mapped, no
/// other file has its key.
///
/// @param path the path with which it was mapped
/// @param key  the key that identifies the file; the path if the file system has no keys
public record FileIdentity(Path path, Object key) {
    /// Determines the identity of a file.
    ///
    /// @param path the path of an existing file
    public static FileIdentity of(Path path) throws IOException {
        return new FileIdentity(path, keyOf(path));
    }

    /// Checks that the path still leads to the file.
    ///
    /// @throws FileTrust.UntrustedException if another file has replaced it
    /// @throws NoSuchFileException          if it was removed
    public void check() throws IOException {
        try {
            if (!keyOf(path).equals(key)) {
                throw new FileTrust.UntrustedException(path, "another file has replaced it");
            }
        } catch (NoSuchFileException _) {
            throw new NoSuchFileException(path.toString(), null, "the file was removed");
        }
    }

    /// Opens the file to change its size.
    public FileChannel open() throws IOException {
        check();
        return checked(SafeFiles.open(path));
    }

    /// Opens the file to change its extents.
    public FileExtents openExtents() throws IOException {
        return checked(FileExtents.openToWrite(path));
    }

    /// Checks that the opened file is this one, and closes it otherwise.
    private <T extends Closeable> T checked(T opened) throws IOException {
        try {
            check();
            return opened;
        } catch (Throwable t) {
            opened.close();
            throw t;
        }
    }

    private static Object keyOf(Path path) throws IOException {
        return keyOf(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS), path);
    }

    /// The key that identifies a file with these attributes; its path if the file system has no keys.
    static Object keyOf(BasicFileAttributes attributes, Path path) {
        return Objects.requireNonNullElseGet(attributes.fileKey(), () -> path.toAbsolutePath().normalize());
    }
}
