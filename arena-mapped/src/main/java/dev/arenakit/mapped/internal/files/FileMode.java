package dev.arenakit.mapped.internal.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// Creates files with certain permissions. Only their owner may write to them.
///
/// @param permissions the permissions, which have no effect where files have no POSIX attributes
public record FileMode(Set<PosixFilePermission> permissions) {
    /// Creates a file of an image. `CREATE_NEW`, because `CREATE` would follow a symbolic link. Windows needs `SPARSE`;
    /// on other systems files may have holes in any case.
    private static final Set<OpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
            StandardOpenOption.WRITE, StandardOpenOption.SPARSE);

    private static final Set<PosixFilePermission> ALLOWED = Set.of(PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

    public static final FileMode OWNER_ONLY = new FileMode(
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));

    /// Checks the permissions.
    ///
    /// @throws IllegalArgumentException if the owner may not read and write, another user may write, or a file may be
    ///                                  executed
    public FileMode {
        permissions = Set.copyOf(permissions);
        if (!permissions.contains(PosixFilePermission.OWNER_READ)
                || !permissions.contains(PosixFilePermission.OWNER_WRITE) || !ALLOWED.containsAll(permissions)) {
            throw new IllegalArgumentException("Not a mode for the files of an image: mode="
                    + PosixFilePermissions.toString(permissions)
                    + "; pass OWNER_READ and OWNER_WRITE, and GROUP_READ or OTHERS_READ if these users may read them");
        }
    }

    /// Creates a file that does not exist yet, and opens it. On failure no file remains.
    public FileChannel create(Path file) throws IOException {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return FileChannel.open(file, NEW);
        }
        FileChannel channel = FileChannel.open(file, NEW,
                new FileAttribute<?>[]{PosixFilePermissions.asFileAttribute(permissions)});
        try {
            if (!equals(OWNER_ONLY)) {
                // The umask may have removed permissions that the user wants.
                Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                        .setPermissions(permissions);
            }
            return channel;
        } catch (Throwable t) {
            try (channel) {
                Files.deleteIfExists(file);
            }
            throw t;
        }
    }

    /// Creates a file unless it exists.
    ///
    /// @return whether this call has created it
    public boolean createIfMissing(Path file) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try {
            create(file).close();
            return true;
        } catch (FileAlreadyExistsException _) {
            return false;
        }
    }
}
