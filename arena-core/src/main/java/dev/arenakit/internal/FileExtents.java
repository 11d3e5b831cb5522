package dev.arenakit.internal;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.OptionalLong;

/// The data and the holes of an open file, as the file system tells them. For one thread at a time.
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
    /// @throws UnsupportedOperationException where the system, or the file system, does not tell extents
    /// @throws IllegalCallerException        when native access is denied
    /// @throws IOException                   when the file cannot be opened
    public static FileExtents open(Path path) throws IOException {
        checkSystem(path);
        NativeAccess.require();
        int fd = PosixFiles.open(nameOf(path), CHeaders.O_RDONLY | CHeaders.O_CLOEXEC);
        if (fd < 0) {
            throw new IOException("File cannot be opened: path=" + path + ", errno=" + -fd);
        }
        long data = PosixFiles.lseek(fd, 0, CHeaders.SEEK_DATA);
        if (data < 0 && data != -CHeaders.ENXIO) {
            PosixFiles.close(fd);
            throw new UnsupportedOperationException(
                    "File system does not tell holes from data: path=" + path + ", errno=" + -data);
        }
        return new FileExtents(path, fd);
    }

    /// The offset of the first byte of data at or behind an offset, or -1 where there is none before the end.
    ///
    /// @throws IOException if the file is closed, or from the file system
    public long nextData(long offset) throws IOException {
        return seek(offset, CHeaders.SEEK_DATA);
    }

    /// The offset of the first hole at or behind an offset; the end of the file is one. -1 where the offset is not before
    /// the end.
    ///
    /// @throws IOException if the file is closed, or from the file system
    public long nextHole(long offset) throws IOException {
        return seek(offset, CHeaders.SEEK_HOLE);
    }

    /// How many bytes the file system has set aside for the file, empty where it does not tell.
    ///
    /// @throws IOException if the file is closed
    public OptionalLong storedByteSize() throws IOException {
        long byteSize = PosixFiles.storedByteSize(openFd());
        return byteSize < 0 ? OptionalLong.empty() : OptionalLong.of(byteSize);
    }

    @Override
    public void close() {
        if (!closed) {
            PosixFiles.close(fd);
            closed = true;
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
        throw new IOException("Extents of a file cannot be read: path=" + path + ", offset=" + offset + ", errno="
                + -result);
    }

    /// A closed number may meanwhile belong to another file.
    private int openFd() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
        return fd;
    }

    private static void checkSystem(Path path) {
        String system = System.getProperty("os.name");
        String architecture = System.getProperty("os.arch");
        if (!system.equals("Linux") || !(architecture.equals("amd64") || architecture.equals("aarch64"))) {
            throw new UnsupportedOperationException("Holes of files are known on Linux x86-64 and aarch64 only: system="
                    + system + ", architecture=" + architecture);
        }
        if (!path.getFileSystem().equals(FileSystems.getDefault())) {
            throw new UnsupportedOperationException("File system of Java does not tell holes from data: path=" + path
                    + ", provider=" + path.getFileSystem().provider().getScheme());
        }
    }

    /// The path as the system calls take it: its very bytes, which [Path#toString] gives only as far as the encoding of
    /// the locale reaches, while a URI carries them all.
    private static byte[] nameOf(Path path) {
        String uri = path.toUri().getRawPath();
        ByteArrayOutputStream name = new ByteArrayOutputStream(uri.length() + 1);
        for (int i = 0; i < uri.length(); i++) {
            char character = uri.charAt(i);
            if (character == '%') {
                name.write(Integer.parseInt(uri, i + 1, i + 3, 16));
                i += 2;
            } else {
                name.write(character);
            }
        }
        name.write(0);
        return name.toByteArray();
    }
}
