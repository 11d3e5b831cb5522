package dev.arenakit.internal.file;

import dev.arenakit.internal.nativecall.CHeaders;
import dev.arenakit.internal.nativecall.Errno;
import dev.arenakit.internal.nativecall.LinuxSystem;
import dev.arenakit.internal.nativecall.NativeAccess;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.OptionalLong;

/// The data and the holes of an open file, as reported by the file system. Not thread-safe.
public final class FileExtents implements Closeable {
    private final Path path;
    private final int fd;
    private boolean closed;

    private FileExtents(Path path, int fd) {
        this.path = path;
        this.fd = fd;
    }

    /// Opens a file.
    ///
    /// @throws UnsupportedOperationException if the system, or the file system, does not report holes
    /// @throws IllegalCallerException        if native access is denied
    /// @throws IOException                   if the file cannot be opened
    public static FileExtents open(Path path) throws IOException {
        return open(path, CHeaders.O_RDONLY);
    }

    /// Checks that extents can be read and changed on this system, without a file.
    ///
    /// @throws UnsupportedOperationException if the system, or the file system of Java, does not report holes
    /// @throws IllegalCallerException        if native access is denied
    public static void require(Path path) {
        checkSystem(path);
        NativeAccess.require();
    }

    static FileExtents open(Path path, int flags) throws IOException {
        require(path);
        int fd = PosixFiles.open(path, flags);
        long data = PosixFiles.lseek(fd, 0, CHeaders.SEEK_DATA);
        if (data < 0 && data != -CHeaders.ENXIO) {
            PosixFiles.close(fd);
            throw new UnsupportedOperationException(
                    "File system does not distinguish holes from data: path=" + path + ", " + Errno.describe(data));
        }
        return new FileExtents(path, fd);
    }

    /// Returns the offset of the first byte of data at or after an offset, or -1 if there is none before the end of the
    /// file.
    ///
    /// @throws IOException if the file is closed, or an I/O error occurs
    public long nextData(long offset) throws IOException {
        return seek(offset, CHeaders.SEEK_DATA);
    }

    /// Returns the offset of the first hole at or after an offset, or -1 if the offset is not before the end of the
    /// file. The end of the file counts as a hole.
    ///
    /// @throws IOException if the file is closed, or an I/O error occurs
    public long nextHole(long offset) throws IOException {
        return seek(offset, CHeaders.SEEK_HOLE);
    }

    /// Returns the number of bytes that the file system has allocated for the file, or empty if the file system does
    /// not report the number.
    ///
    /// @throws IOException if the file is closed
    public OptionalLong storedByteSize() throws IOException {
        long byteSize = PosixFiles.storedByteSize(openFd());
        return byteSize < 0 ? OptionalLong.empty() : OptionalLong.of(byteSize);
    }

    Path path() {
        return path;
    }

    /// A path that leads to the open file, whatever has become of its names. It exists only where `/proc` is mounted.
    public Path descriptor() throws IOException {
        return PosixFiles.descriptor(path, openFd());
    }

    @Override
    public void close() {
        if (!closed) {
            // First: an Error may leak the descriptor, and must not close another file that has got its number.
            closed = true;
            PosixFiles.close(fd);
        }
    }

    private long seek(long offset, int whence) throws IOException {
        long result = PosixFiles.lseek(openFd(), offset, whence);
        if (result >= 0) {
            return result;
        }
        if (result == -CHeaders.ENXIO) {
            return -1;
        }
        throw new IOException("Extents of a file cannot be read: path=" + path + ", offset=" + offset + ", "
                + Errno.describe(result));
    }

    /// Returns the file descriptor. After `close`, the same number may refer to another file.
    int openFd() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
        return fd;
    }

    private static void checkSystem(Path path) {
        if (!LinuxSystem.isKnown()) {
            throw new UnsupportedOperationException(
                    "Holes of files are known on Linux x86-64 and aarch64 only: " + LinuxSystem.describe());
        }
        if (!path.getFileSystem().equals(FileSystems.getDefault())) {
            throw new UnsupportedOperationException("File system of Java does not distinguish holes from data: path="
                    + path + ", provider=" + path.getFileSystem().provider().getScheme());
        }
    }
}
