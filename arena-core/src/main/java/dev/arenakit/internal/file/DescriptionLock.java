package dev.arenakit.internal.file;

import dev.arenakit.internal.nativecall.CHeaders;
import dev.arenakit.internal.nativecall.Errno;
import dev.arenakit.internal.nativecall.LinuxSystem;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystems;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalLong;

/// An open file with a lock that belongs to its open file description. Linux calls it an OFD lock.
///
/// The lock of a `FileChannel` belongs to the process: it is lost as soon as any code of the process closes any
/// descriptor of the file, and two class loaders of one process never exclude each other. This lock is held until it is
/// closed, or until the process ends. Locks of both kinds exclude each other. Not thread-safe.
public final class DescriptionLock implements Closeable {
    private final Path path;
    private final int fd;
    private boolean closed;

    private DescriptionLock(Path path, int fd) {
        this.path = path;
        this.fd = fd;
    }

    /// Whether processes of this system may have such locks. This method needs no native access.
    public static boolean isKnown() {
        return LinuxSystem.isKnown();
    }

    /// Whether this process can lock the file of a path: the system has such locks, native access is not denied, and
    /// the path belongs to the default file system. The first two conditions never change.
    public static boolean isAvailableFor(Path path) {
        return path.getFileSystem().equals(FileSystems.getDefault()) && Support.AVAILABLE;
    }

    /// Opens an existing file to lock it. A symbolic link is not followed.
    ///
    /// The caller has called [#isAvailableFor].
    ///
    /// @throws NoSuchFileException if there is no such file
    /// @throws IOException         if the file cannot be opened for another reason
    public static DescriptionLock open(Path path) throws IOException {
        return open(path, CHeaders.O_RDWR | CHeaders.O_NOFOLLOW);
    }

    /// Opens an existing file to find out whether it is locked.
    ///
    /// The caller has called [#isAvailableFor].
    ///
    /// @throws NoSuchFileException if there is no such file
    /// @throws IOException         if the file cannot be opened for another reason
    public static DescriptionLock openToRead(Path path) throws IOException {
        return open(path, CHeaders.O_RDONLY);
    }

    private static DescriptionLock open(Path path, int flags) throws IOException {
        return new DescriptionLock(path, PosixFiles.open(path, flags));
    }

    /// Tries to lock the file exclusively.
    ///
    /// @return false if another open file description, or another process, has locked it
    /// @throws IOException if the file system has no locks
    public boolean tryLock() throws IOException {
        return tryLock(0, 0);
    }

    /// Tries to lock a range of the file exclusively, which may be beyond its end.
    ///
    /// @param byteSize the size of the range, or 0: the range has no end
    /// @return false if another open file description, or another process, has locked a part of it
    /// @throws IOException if the file system has no locks
    public boolean tryLock(long offset, long byteSize) throws IOException {
        int result = PosixFiles.setLock(openFd(), CHeaders.F_WRLCK, offset, byteSize);
        if (result == -CHeaders.EAGAIN || result == -CHeaders.EACCES) {
            return false;
        }
        checkLocks(result);
        return true;
    }

    /// Whether another open file description, or another process, has locked the file exclusively. This method changes
    /// no lock.
    ///
    /// @throws IOException if the file system has no locks
    public boolean isLockedByAnother() throws IOException {
        return isLockedByAnother(0, 0);
    }

    /// Whether another open file description, or another process, has locked a part of a range exclusively. This method
    /// changes no lock.
    ///
    /// @param byteSize the size of the range, or 0: the range has no end
    /// @throws IOException if the file system has no locks
    public boolean isLockedByAnother(long offset, long byteSize) throws IOException {
        int type = PosixFiles.conflictingLock(openFd(), CHeaders.F_RDLCK, offset, byteSize);
        checkLocks(type);
        return type != CHeaders.F_UNLCK;
    }

    /// The process whose lock on the file prevents an exclusive lock. The system does not tell it if the lock belongs to
    /// an open file description.
    public OptionalLong holder() throws IOException {
        int process = PosixFiles.lockHolder(openFd(), CHeaders.F_WRLCK);
        return process > 0 ? OptionalLong.of(process) : OptionalLong.empty();
    }

    /// A path that leads to the open file, whatever has become of its names. It exists only where `/proc` is mounted.
    public Path descriptor() throws IOException {
        return PosixFiles.descriptor(path, openFd());
    }

    /// Closes the file, and releases its lock.
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            try {
                // A process that is being started has a copy of the descriptor, and the copy would hold the lock.
                PosixFiles.setLock(fd, CHeaders.F_UNLCK, 0, 0);
            } finally {
                PosixFiles.close(fd);
            }
        }
    }

    private void checkLocks(int result) throws IOException {
        if (result < 0) {
            throw new IOException("File system has no locks: path=" + path + ", " + Errno.describe(result));
        }
    }

    /// Returns the file descriptor. After `close`, the same number may refer to another file.
    private int openFd() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
        return fd;
    }

    private static final class Support {
        static final boolean AVAILABLE = isAvailable();

        private Support() {}

        private static boolean isAvailable() {
            Path path = Path.of("/");
            if (!MappedFile.isAvailableFor(path)) {
                return false;
            }
            int root;
            try {
                root = PosixFiles.open(path, CHeaders.O_RDONLY);
            } catch (IOException _) {
                return false;
            }
            try {
                // Linux before 3.15, and sandboxes that resemble Linux, do not know the command.
                return PosixFiles.conflictingLock(root, CHeaders.F_RDLCK, 0, 0) != -CHeaders.EINVAL;
            } finally {
                PosixFiles.close(root);
            }
        }
    }
}
