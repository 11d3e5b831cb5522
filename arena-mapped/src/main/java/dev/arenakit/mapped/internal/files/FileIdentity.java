package dev.arenakit.mapped.internal.files;

import dev.arenakit.internal.file.FileBlocks;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/// The identity of a mapped data file. Its path may lead to another file by now. As long as the file is mapped, no
/// other file has its key.
///
/// @param path the path with which it was mapped
/// @param key  the key that identifies the file; the path if the file system has no keys
public record FileIdentity(Path path, Object key) {
    /// Determines the identity of a file that is [trusted][FileTrust].
    ///
    /// @param path the path of an existing file
    /// @throws FileTrust.UntrustedException if it is not trusted
    public static FileIdentity of(Path path) throws IOException {
        return new FileIdentity(path, FileTrust.check(path));
    }

    /// Determines the identity of a file that another user may own, and that a symbolic link may lead to.
    public static FileIdentity ofAny(Path path) throws IOException {
        return new FileIdentity(path, FileTrust.keyOf(Files.readAttributes(path, BasicFileAttributes.class), path));
    }

    /// Checks that the path still leads to the file.
    ///
    /// @throws FileTrust.UntrustedException if another file has replaced it
    /// @throws NoSuchFileException          if it was removed
    public void check() throws IOException {
        try {
            check(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException _) {
            throw new NoSuchFileException(path.toString(), null, "the file was removed");
        }
    }

    private void check(BasicFileAttributes found) throws IOException {
        if (!FileTrust.keyOf(found, path).equals(key)) {
            throw new FileTrust.UntrustedException(path, "another file has replaced it");
        }
    }

    /// Opens the file for reading and writing.
    public FileChannel open() throws IOException {
        check();
        return checked(SafeFiles.open(path), path);
    }

    /// Opens the file to change its blocks.
    public FileBlocks openBlocks() throws IOException {
        FileBlocks blocks = FileBlocks.open(path);
        return checked(blocks, blocks.extents().descriptor());
    }

    /// Checks that the opened file is this one, and closes it otherwise.
    ///
    /// @param descriptor a path that leads to the opened file if it exists
    private <T extends Closeable> T checked(T opened, Path descriptor) throws IOException {
        try {
            check();
            if (Files.exists(descriptor)) {
                check(Files.readAttributes(descriptor, BasicFileAttributes.class));
            }
            return opened;
        } catch (Throwable t) {
            opened.close();
            throw t;
        }
    }
}
