package dev.arenakit.internal.file;

import dev.arenakit.internal.nativecall.CHeaders;
import dev.arenakit.internal.nativecall.Errno;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/// The blocks of an open file: reserves the blocks of a hole, and makes holes. Not thread-safe.
public final class FileBlocks implements Closeable {
    /// The size that one call reserves, so that a call takes milliseconds even on a file system in memory.
    private static final long LARGEST_STEP = 16 << 20;

    private final FileExtents extents;

    private FileBlocks(FileExtents extents) {
        this.extents = extents;
    }

    /// Opens a file to change its blocks. A symbolic link is not followed.
    ///
    /// @throws UnsupportedOperationException if the system, or the file system, does not report holes
    /// @throws IllegalCallerException        if native access is denied
    /// @throws IOException                   if the file cannot be opened
    public static FileBlocks open(Path path) throws IOException {
        return new FileBlocks(FileExtents.open(path, CHeaders.O_RDWR | CHeaders.O_NOFOLLOW));
    }

    /// The data and the holes of the file, until this object is closed.
    public FileExtents extents() {
        return extents;
    }

    /// Allocates the blocks of a range, and increases the size of the file to the end of the range if it is smaller.
    /// Data is not changed. On failure, a part of the blocks may have been allocated.
    ///
    /// @throws UnsupportedOperationException if the file system cannot do that
    /// @throws IOException                   if the disk is full, the file is closed, or an I/O error occurs
    public void reserve(long offset, long byteSize) throws IOException {
        long step = LARGEST_STEP;
        for (long at = offset; at < offset + byteSize;) {
            long next = Math.min(step, offset + byteSize - at);
            int result = PosixFiles.fallocate(extents.openFd(), 0, at, next);
            if (result >= 0) {
                at += next;
            } else if (result == -CHeaders.EINTR) {
                // A file system in memory starts again after a signal, and a profiler may send one every 10
                // milliseconds.
                step = Math.max(1, step / 2);
            } else if (isUnsupported(result)) {
                throw new UnsupportedOperationException(
                        "File system cannot reserve blocks: path=" + extents.path() + ", " + Errno.describe(result));
            } else {
                throw new IOException(reason(result));
            }
        }
    }

    /// Makes a hole: the range then contains zeros, and the blocks inside it are freed. The size of the file is not
    /// changed.
    ///
    /// @return false if the file system cannot do that; nothing has changed
    /// @throws IOException if the file is closed, or an I/O error occurs
    public boolean punch(long offset, long byteSize) throws IOException {
        int result;
        do {
            result = PosixFiles.fallocate(extents.openFd(),
                    CHeaders.FALLOC_FL_PUNCH_HOLE | CHeaders.FALLOC_FL_KEEP_SIZE,
                    offset, byteSize);
        } while (result == -CHeaders.EINTR);
        if (result < 0 && !isUnsupported(result)) {
            throw new IOException(reason(result));
        }
        return result >= 0;
    }

    private static boolean isUnsupported(int result) {
        return result == -CHeaders.EOPNOTSUPP || result == -CHeaders.ENOSYS;
    }

    /// The words of the C library. Callers know the common ones, in English.
    private static String reason(int result) {
        return switch (-result) {
            case CHeaders.ENOSPC -> "No space left on device";
            case CHeaders.EDQUOT -> "Disk quota exceeded";
            case CHeaders.EFBIG -> "File too large";
            default -> Errno.text(-result);
        };
    }

    @Override
    public void close() {
        extents.close();
    }
}
