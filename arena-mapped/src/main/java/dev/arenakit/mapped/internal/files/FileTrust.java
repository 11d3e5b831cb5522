package dev.arenakit.mapped.internal.files;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Objects;

/// Checks that the files of an image belong to the user who writes to them or deletes them.
///
/// A file is trusted if it is a regular file of the effective user of this process, no other user may write to it, and
/// it has one name. Where files have no POSIX attributes, every regular file is trusted.
public final class FileTrust {
    /* The check of a path is made before the file is opened. In a directory in which others may not replace files of
     * this user (they may not write to it, or it has the sticky bit), the path leads to the checked file from then on.
     * In other directories, a second check after the file was opened finds a replaced file, unless the checked one was
     * put back in between. Files that are opened for a lock are checked by their descriptors, too. */

    static final int WRITABLE_BY_OTHERS = 0022;
    private static final int PERMISSIONS = 07777;
    static final int ROOT = 0;

    private FileTrust() {}

    /// Checks a file. A symbolic link is not followed.
    ///
    /// @return the identity of the file
    /// @throws UntrustedException if the file is not trusted
    /// @throws IOException        if there is no such file, or its attributes cannot be read
    public static Object check(Path file) throws IOException {
        return check(file, file, LinkOption.NOFOLLOW_LINKS);
    }

    /// Checks that a symbolic link, which has POSIX attributes, belongs to the effective user or to root.
    ///
    /// @throws FileSystemException if it belongs to another user
    static void checkLink(Path link) throws IOException {
        int owner = UnixAttributes.read(link, LinkOption.NOFOLLOW_LINKS).owner;
        int user = EffectiveUser.id();
        if (owner != ROOT && owner != user) {
            throw new FileSystemException(link.toString(), null,
                    "a symbolic link of another user may lead to any file, owner=" + Integer.toUnsignedString(owner)
                            + ", user=" + Integer.toUnsignedString(user) + "; pass the path to which it leads");
        }
    }

    /// Checks an open file.
    ///
    /// @param descriptor a path that leads to the open file
    /// @param file       the path with which it was opened, for the message
    /// @return the identity of the file
    public static Object checkOpen(Path descriptor, Path file) throws IOException {
        return check(descriptor, file);
    }

    /// Checks a file again.
    ///
    /// @param key the identity that the first check has returned
    public static void checkSame(Path file, Object key) throws IOException {
        if (!check(file).equals(key)) {
            throw new UntrustedException(file, "another file has replaced it");
        }
    }

    private static Object check(Path path, Path file, LinkOption... options) throws IOException {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class, options);
            checkRegular(file, attributes.isRegularFile());
            return keyOf(attributes, file);
        }
        UnixAttributes attributes = UnixAttributes.read(path, options);
        checkRegular(file, attributes.isRegular);
        int user = EffectiveUser.id();
        if (attributes.owner != user) {
            throw new UntrustedException(file, "it belongs to another user, owner="
                    + Integer.toUnsignedString(attributes.owner) + ", user=" + Integer.toUnsignedString(user));
        }
        if ((attributes.mode & WRITABLE_BY_OTHERS) != 0) {
            throw new UntrustedException(file,
                    "other users may write to it, mode=" + Integer.toOctalString(attributes.mode & PERMISSIONS));
        }
        if (attributes.links > 1) {
            throw new UntrustedException(file, "it has other names, links=" + attributes.links);
        }
        return attributes.key;
    }

    /// The key that identifies a file with these attributes; its path if the file system has no keys.
    public static Object keyOf(BasicFileAttributes attributes, Path path) {
        return Objects.requireNonNullElseGet(attributes.fileKey(), () -> path.toAbsolutePath().normalize());
    }

    private static void checkRegular(Path file, boolean isRegular) throws FileSystemException {
        if (!isRegular) {
            throw new UntrustedException(file, Files.isSymbolicLink(file)
                    ? "it is a symbolic link"
                    : Files.isDirectory(file) ? "it is a directory" : "it is not a regular file");
        }
    }

    /// The attributes of a file, or of a part of a path.
    record UnixAttributes(boolean isRegular, boolean isDirectory, boolean isLink, int owner, int mode, int links,
            Object key) {
        static UnixAttributes read(Path path, LinkOption... options) throws IOException {
            Map<String, Object> all = Files.readAttributes(path,
                    "unix:isRegularFile,isDirectory,isSymbolicLink,uid,mode,nlink,fileKey", options);
            return new UnixAttributes(get(all, "isRegularFile", Boolean.class), get(all, "isDirectory", Boolean.class),
                    get(all, "isSymbolicLink", Boolean.class), get(all, "uid", Integer.class),
                    get(all, "mode", Integer.class), get(all, "nlink", Integer.class),
                    get(all, "fileKey", Object.class));
        }

        private static <T> T get(Map<String, Object> all, String name, Class<T> type) {
            return type.cast(Objects.requireNonNull(all.get(name), name));
        }

        @Override
        public String toString() {
            return "owner=" + Integer.toUnsignedString(owner) + ", mode=" + Integer.toOctalString(mode & PERMISSIONS);
        }
    }

    /// Refuses a file of an image, which this process neither writes to nor deletes.
    public static final class UntrustedException extends FileSystemException {
        private static final long serialVersionUID = 1L;

        public UntrustedException(Path file, String reason) {
            super(file.toString(), null, reason);
        }

        /// The exception for callers outside of this module, which do not know this class.
        public FileSystemException visible() {
            FileSystemException visible = new FileSystemException(getFile(), null, getReason());
            visible.initCause(this);
            return visible;
        }
    }
}
