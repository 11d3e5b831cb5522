package dev.arenakit.mapped;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// What a failed allocation says when a file could not be had.
///
/// `byteSize` is what the user asked for, `fileByteSize` what the file would have held: in a chunked arena, more.
final class FileErrors {
    private FileErrors() {}

    /// The file could not be created.
    ///
    /// @param byteSize 0 for a file that holds no allocation
    static UncheckedIOException create(Path file, long byteSize, IOException cause) {
        Path directory = file.toAbsolutePath().resolveSibling("");
        String what = "path=" + file + (byteSize > 0 ? ", byteSize=" + byteSize : "");
        return new UncheckedIOException(switch (cause) {
            case FileAlreadyExistsException _ ->
                "File already exists: " + what + "; build the arena with uniqueBase(), "
                        + "reopen() the image, remove the files of the earlier run, or pass another base";
            case AccessDeniedException _ -> "No permission to create the file: " + what + ", directory=" + directory
                    + "; pass a base in a directory that the process may write to";
            case NoSuchFileException _ when !Files.isDirectory(directory) ->
                "Parent directory is missing: " + what + ", directory=" + directory + "; create the directory first";
            default -> "File cannot be created: " + what + ", reason=" + reason(cause)
                    + "; pass a base on a file system that takes new files";
        }, cause);
    }

    /// The file exists but does not get its size.
    static UncheckedIOException grow(Path file, long byteSize, long fileByteSize, IOException cause) {
        return new UncheckedIOException("File system refuses a file of this size: path=" + file + ", byteSize="
                + byteSize + ", fileByteSize=" + fileByteSize + ", reason=" + reason(cause)
                + "; allocate less at once (a file of ext4 ends below 16 TiB), free space or raise the quota, "
                + "or pass a base on another file system", cause);
    }

    /// The file has its size but cannot be mapped, for another reason than the lack of addresses.
    static UncheckedIOException map(Path file, long byteSize, long fileByteSize, IOException cause) {
        return new UncheckedIOException("File cannot be mapped: path=" + file + ", byteSize=" + byteSize
                + ", fileByteSize=" + fileByteSize + ", reason=" + reason(cause)
                + "; pass a base on a file system that supports shared mappings", cause);
    }

    /// The file has its size but the process has no addresses for it.
    static OutOfMemoryError noAddresses(Path file, long byteSize, long fileByteSize, IOException cause) {
        OutOfMemoryError error = new OutOfMemoryError("Address space is exhausted: path=" + file + ", byteSize="
                + byteSize + ", fileByteSize=" + fileByteSize + ", mappings=" + Mappings.used()
                + "; close arenas, allocate less at once, or raise the limit on addresses (ulimit -v) "
                + "or on mappings (vm.max_map_count)");
        error.initCause(cause);
        return error;
    }

    /// The catalog does not get the room for further entries.
    static UncheckedIOException catalog(Path file, long fileByteSize, IOException cause) {
        if (cause.getCause() instanceof OutOfMemoryError) {
            throw noAddresses(file, 0, fileByteSize, cause);
        }
        return new UncheckedIOException("Catalog cannot grow: path=" + file + ", fileByteSize=" + fileByteSize
                + ", reason=" + reason(cause) + "; free space or raise the quota, or build the arena with "
                + "catalog(CatalogLevel.OFF)", cause);
    }

    /// A directory in which files would not be safe.
    static UncheckedIOException directory(Path base, IOException cause) {
        return new UncheckedIOException("Directory is not safe: base=" + base + ", reason=" + reason(cause)
                + "; take write permission from others, set the sticky bit, or build the arena with unsafeDirectory()",
                cause);
    }

    /// The lock of an image cannot be had for another reason than an owner.
    static UncheckedIOException lock(Path file, IOException cause) {
        return cause instanceof FileSystemException
                ? create(file, 0, cause)
                : new UncheckedIOException("Image cannot be locked: path=" + file + ", reason=" + reason(cause)
                        + "; pass a base on a file system with locks, or build the arena with catalog(CatalogLevel.OFF)",
                        cause);
    }

    /// There is nothing to continue.
    static UncheckedIOException noImage(Path catalog) {
        return new UncheckedIOException("No image to reopen: missing=" + catalog + "; make one with build()",
                new NoSuchFileException(catalog.toString()));
    }

    /// An image cannot be continued.
    static UncheckedIOException reopen(Path base, IOException cause) {
        return new UncheckedIOException("Image cannot be reopened: base=" + base + ", reason=" + reason(cause)
                + "; look at it with ArenaImage", cause);
    }

    /// A data file that an earlier owner made has not kept its size.
    static UncheckedIOException truncated(Path file, long fileByteSize, long needed) {
        return new UncheckedIOException("Data file is truncated: path=" + file + ", byteSize=" + fileByteSize
                + ", needed=" + needed + "; bring the whole file back, or free the allocation",
                new EOFException(file.toString()));
    }

    /// A data file that an earlier owner made cannot be mapped.
    static UncheckedIOException mapExisting(Path file, long needed, IOException cause) {
        if (cause.getCause() instanceof OutOfMemoryError) {
            throw noAddresses(file, needed, needed, cause);
        }
        return new UncheckedIOException("Data file cannot be mapped: path=" + file + ", needed=" + needed + ", reason="
                + reason(cause) + "; bring the file back, or free the allocation", cause);
    }

    /// Something of an image could not be written to the device.
    static UncheckedIOException force(Path base, IOException cause) {
        return new UncheckedIOException("Image cannot be written to the device: base=" + base + ", reason="
                + reason(cause), cause);
    }

    /// A file was left behind.
    static UncheckedIOException delete(Path file, IOException cause) {
        return new UncheckedIOException(
                "File cannot be deleted: path=" + file + ", reason=" + reason(cause) + "; delete it by hand", cause);
    }

    /// A file could not be let go after it was mapped.
    static UncheckedIOException close(Path file, long byteSize, IOException cause) {
        return new UncheckedIOException("File cannot be closed: path=" + file + ", byteSize=" + byteSize + ", reason="
                + reason(cause) + "; pass a base on another file system", cause);
    }

    /// The system's words. Where a file system exception has none, its class says it; its message repeats the path.
    private static String reason(IOException cause) {
        String words = cause instanceof FileSystemException named ? named.getReason() : cause.getMessage();
        return words == null ? cause.getClass().getSimpleName() : words;
    }
}
