package dev.arenakit.mapped.internal.io;

import dev.arenakit.mapped.internal.files.FileErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/// Makes the exceptions of windows.
public final class WindowErrors {
    private WindowErrors() {}

    /// A range ends beyond the end of the file.
    public static IndexOutOfBoundsException beyondEnd(Path path, long offset, long byteSize, long fileByteSize) {
        return new IndexOutOfBoundsException("Lease ends beyond the end of the file: path=" + path + ", offset="
                + offset + ", byteSize=" + byteSize + ", fileByteSize=" + fileByteSize + "; call grow first");
    }

    /// The size of the file cannot be read.
    public static UncheckedIOException size(Path path, IOException cause) {
        return new UncheckedIOException(
                "Size of the file cannot be read: path=" + path + ", reason=" + FileErrors.reason(cause), cause);
    }

    /// The file cannot grow.
    public static UncheckedIOException grow(Path path, long byteSize, long fileByteSize, IOException cause) {
        return new UncheckedIOException("File cannot grow: path=" + path + ", byteSize=" + byteSize + ", fileByteSize="
                + fileByteSize + ", reason=" + FileErrors.reason(cause)
                + "; pass a size that the file system supports (files of ext4 are smaller than 16 TiB)", cause);
    }

    /// A range cannot be mapped.
    ///
    /// @throws OutOfMemoryError if the JDK says that the address space is exhausted
    public static UncheckedIOException map(Path path, long offset, long byteSize, IOException cause) {
        if (cause.getCause() instanceof OutOfMemoryError) {
            throw FileErrors.noAddresses(path, byteSize, offset + byteSize, cause);
        }
        return new UncheckedIOException("Window cannot be mapped: path=" + path + ", offset=" + offset + ", byteSize="
                + byteSize + ", reason=" + FileErrors.reason(cause), cause);
    }

    /// The file cannot be written to the device.
    public static UncheckedIOException force(Path path, IOException cause) {
        return new UncheckedIOException(
                "File cannot be written to the device: path=" + path + ", reason=" + FileErrors.reason(cause), cause);
    }
}
