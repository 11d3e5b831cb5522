package dev.arenakit.mapped.internal.files;

import dev.arenakit.internal.file.AddressRange;
import dev.arenakit.mapped.DiskFullException;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Makes the exceptions for files that cannot be created, mapped, locked, read or deleted.
///
/// `byteSize` is the requested size, `fileByteSize` the size of the file, which is larger in a chunked arena.
public final class FileErrors {
    /// File systems of all systems accept names of 255 bytes, and hardly any accepts more.
    private static final int LARGEST_NAME = 255;

    private FileErrors() {}

    /// The file cannot be created.
    ///
    /// @param byteSize 0 for a file that holds no allocation
    public static UncheckedIOException create(Path file, long byteSize, IOException cause) {
        Path directory = file.toAbsolutePath().resolveSibling("");
        String what = "path=" + file + (byteSize > 0 ? ", byteSize=" + byteSize : "");
        if (cause instanceof FileTrust.UntrustedException) {
            return new UncheckedIOException("New file is not trusted: " + what + ", reason=" + reason(cause)
                    + "; pass a base in a directory that no other user may write to", cause);
        }
        if (isDiskFull(file, cause)) {
            return new DiskFullException("Disk is full, so that the file cannot be created: " + what + ", reason="
                    + reason(cause) + "; free space and inodes, raise the quota, or pass a base on another file system",
                    cause);
        }
        return new UncheckedIOException(switch (cause) {
            case FileAlreadyExistsException _ ->
                "File already exists: " + what + "; build the arena with uniqueBase(), "
                        + "reopen() the image, remove the files of the previous run, or pass another base";
            case AccessDeniedException _ -> "No permission to create the file: " + what + ", directory=" + directory
                    + "; pass a base in a directory that the process may write to";
            case NoSuchFileException _ when !Files.isDirectory(directory) ->
                "Parent directory is missing: " + what + ", directory=" + directory + "; create the directory first";
            default -> "File cannot be created: " + what + ", reason=" + reason(cause)
                    + (isNameTooLong(file) || reason(cause).contains("File name too long")
                            ? "; pass a shorter base, with a name of at most 200 bytes"
                            : "; pass a base on a file system that accepts new files");
        }, cause);
    }

    /// Whether file systems refuse the name. Not every system says so in its error.
    private static boolean isNameTooLong(Path file) {
        return String.valueOf(file.getFileName()).getBytes(UTF_8).length > LARGEST_NAME;
    }

    /// The file was created but cannot grow to its size.
    public static UncheckedIOException grow(Path file, long byteSize, long fileByteSize, IOException cause) {
        String message = "File system refuses a file of this size: path=" + file + ", byteSize="
                + byteSize + ", fileByteSize=" + fileByteSize + ", reason=" + reason(cause)
                + "; allocate less at once (files of ext4 are smaller than 16 TiB), free space or raise the quota, "
                + "or pass a base on another file system";
        // A hole takes no space: the usable space says nothing, and a file that is too large may have several parts.
        return saysDiskFull(cause)
                ? new DiskFullException(message, cause)
                : new FileTooLargeException(message, cause);
    }

    /// The file system refuses a file of this size, and several files cannot be mapped as one segment.
    ///
    /// @param refused the exception for one file
    public static UncheckedIOException noParts(FileTooLargeException refused, IllegalCallerException cause) {
        refused.addSuppressed(cause);
        return new UncheckedIOException(refused.getMessage()
                + "; or allow the arena to use several files: " + cause.getMessage(), refused.getCause());
    }

    /// The blocks of a part of the file cannot be reserved.
    public static UncheckedIOException reserve(Path file, long byteSize, IOException cause) {
        return exception(file, "Blocks of the file cannot be reserved: path=" + file + ", byteSize=" + byteSize
                + ", reason=" + reason(cause) + "; free space or raise the quota, or allocate less", cause);
    }

    /// The space of an allocation cannot be freed, which has ended nevertheless.
    public static UncheckedIOException free(Path file, long byteSize, IOException cause) {
        return new UncheckedIOException("Allocation has ended, but its space cannot be freed: path=" + file
                + ", byteSize=" + byteSize + ", reason=" + reason(cause), cause);
    }

    /// A range of the file cannot become a hole.
    public static UncheckedIOException punch(Path file, long byteSize, IOException cause) {
        if (cause instanceof FileTrust.UntrustedException untrusted) {
            return untrusted(untrusted);
        }
        return new UncheckedIOException("Hole cannot be made: path=" + file + ", byteSize=" + byteSize + ", reason="
                + reason(cause), cause);
    }

    /// The file has its size but cannot be mapped, for another reason than a lack of addresses.
    public static UncheckedIOException map(Path file, long byteSize, long fileByteSize, IOException cause) {
        return new UncheckedIOException("File cannot be mapped: path=" + file + ", byteSize=" + byteSize
                + ", fileByteSize=" + fileByteSize + ", reason=" + reason(cause)
                + "; pass a base on a file system that supports shared mappings", cause);
    }

    /// The file has its size, but the process has no address range for it.
    public static OutOfMemoryError noAddresses(Path file, long byteSize, long fileByteSize, IOException cause) {
        return noAddresses("path=" + file + ", byteSize=" + byteSize, file, fileByteSize,
                "close arenas, allocate less at once", cause);
    }

    /// The process has no address range for memory that grows.
    ///
    /// @param leastByteSize the smallest size that was tried
    /// @param maxByteSize   the size up to which it may grow
    public static OutOfMemoryError noAddressesToGrow(Path file, long leastByteSize, long maxByteSize,
            IOException cause) {
        return noAddresses("path=" + file + ", leastByteSize=" + leastByteSize, file, maxByteSize,
                "close arenas, pass a smaller maximum (for tables, maps and trees: "
                        + "InfiniteArenaBuilder.maxStructureByteSize)",
                cause);
    }

    private static OutOfMemoryError noAddresses(String what, Path file, long fileByteSize, String remedy,
            IOException cause) {
        OutOfMemoryError error = new OutOfMemoryError("Address space is exhausted: " + what + ", fileByteSize="
                + fileByteSize + ", mappings=" + MappingLimit.used() + largestRange(file) + "; " + remedy
                + ", or raise the limit on addresses (ulimit -v) or on mappings (vm.max_map_count)");
        error.initCause(cause);
        return error;
    }

    /// The size of the largest free range of addresses, if it is known.
    private static String largestRange(Path file) {
        try {
            return AddressRange.isKnownFor(file) ? ", largest=" + AddressRange.largestByteSize() : "";
        } catch (IllegalCallerException _) {
            return "";
        }
    }

    /// The catalog cannot grow.
    public static UncheckedIOException catalog(Path file, long fileByteSize, IOException cause) {
        if (cause.getCause() instanceof OutOfMemoryError) {
            throw noAddresses(file, 0, fileByteSize, cause);
        }
        return exception(file, "Catalog cannot grow: path=" + file + ", fileByteSize=" + fileByteSize
                + ", reason=" + reason(cause) + "; free space or raise the quota, or build the arena with "
                + "catalog(CatalogLevel.OFF)", cause);
    }

    /// Other users may replace files in the directory of an image.
    public static UncheckedIOException directory(Path base, IOException cause) {
        return cause instanceof FileTrust.UntrustedException
                ? new UncheckedIOException("Directory is not safe: base=" + base + ", reason=" + reason(cause)
                        + ", or build the arena with unsafeDirectory()", cause)
                : create(base, 0, cause);
    }

    /// Another user may have written the file, or may write to it.
    public static UncheckedIOException untrusted(FileTrust.UntrustedException cause) {
        return new UncheckedIOException("File is not trusted: path=" + cause.getFile() + ", reason=" + reason(cause)
                + "; read the image with ArenaImage, and reopen a copy of it (ArenaImage.copyTo)", cause);
    }

    /// There is no image to reopen.
    public static UncheckedIOException noImage(Path catalog) {
        return new UncheckedIOException("No image to reopen: missing=" + catalog + "; make one with build()",
                new NoSuchFileException(catalog.toString()));
    }

    /// The image cannot be reopened.
    public static UncheckedIOException reopen(Path base, IOException cause) {
        if (cause instanceof FileTrust.UntrustedException untrusted) {
            return untrusted(untrusted);
        }
        return new UncheckedIOException("Image cannot be reopened: base=" + base + ", reason=" + reason(cause)
                + "; inspect it with ArenaImage", cause);
    }

    /// The message for a truncated data file, without its remedy.
    ///
    /// @param needed the end of the allocation in the file, or the size with which the file was made
    public static String truncated(Path file, long fileByteSize, long needed) {
        return "Data file is truncated: path=" + file + ", byteSize=" + fileByteSize + ", needed=" + needed;
    }

    /// A data file of a previous owner is truncated.
    public static UncheckedIOException truncatedExisting(Path file, long fileByteSize, long needed) {
        return new UncheckedIOException(
                truncated(file, fileByteSize, needed) + "; restore the whole file, or free the allocation",
                new EOFException(file.toString()));
    }

    /// A data file of a previous owner cannot be mapped.
    public static UncheckedIOException mapExisting(Path file, long needed, IOException cause) {
        if (cause.getCause() instanceof OutOfMemoryError) {
            throw noAddresses(file, needed, needed, cause);
        }
        if (cause instanceof FileTrust.UntrustedException untrusted) {
            return untrusted(untrusted);
        }
        return new UncheckedIOException("Data file cannot be mapped: path=" + file + ", needed=" + needed + ", reason="
                + reason(cause) + "; restore the file, or free the allocation", cause);
    }

    /// The checksums of an allocation cannot be computed.
    public static UncheckedIOException seal(Path base, IOException cause) {
        return new UncheckedIOException("Allocation cannot be sealed: base=" + base + ", reason="
                + reasonAndPath(cause), cause);
    }

    /// A structure of an image cannot be opened for reading.
    public static UncheckedIOException structure(String name, Path base, IOException cause) {
        return new UncheckedIOException("Structure cannot be opened: name=" + name + ", base=" + base + ", reason="
                + reasonAndPath(cause), cause);
    }

    private static String reasonAndPath(IOException cause) {
        return cause instanceof FileSystemException failed
                ? reason(failed) + ", path=" + failed.getFile()
                : reason(cause);
    }

    /// The image cannot be written to the device.
    public static UncheckedIOException force(Path base, IOException cause) {
        return exception(base, "Image cannot be written to the device: base=" + base + ", reason=" + reason(cause),
                cause);
    }

    /// The file cannot be deleted.
    static UncheckedIOException delete(Path file, IOException cause) {
        return new UncheckedIOException(
                "File cannot be deleted: path=" + file + ", reason=" + reason(cause) + "; delete it by hand", cause);
    }

    /// The file was mapped but cannot be closed.
    public static UncheckedIOException close(Path file, long byteSize, IOException cause) {
        return new UncheckedIOException("File cannot be closed: path=" + file + ", byteSize=" + byteSize + ", reason="
                + reason(cause) + "; pass a base on another file system", cause);
    }

    /// A store to mapped memory has failed.
    ///
    /// @throws InternalError the given error if the disk is not full
    public static DiskFullException store(Path base, InternalError cause) {
        IOException wrapped = new IOException(cause.getMessage(), cause);
        if (isDiskFull(base, wrapped)) {
            return new DiskFullException("Disk is full, so that memory cannot be written: base=" + base
                    + "; free space or raise the quota", wrapped);
        }
        throw cause;
    }

    private static UncheckedIOException exception(Path file, String message, IOException cause) {
        return isDiskFull(file, cause)
                ? new DiskFullException(message, cause)
                : new UncheckedIOException(message, cause);
    }

    /// In another language than English, the usable space shows that the disk is full.
    private static boolean isDiskFull(Path file, IOException cause) {
        if (cause instanceof FileAlreadyExistsException || cause instanceof NoSuchFileException
                || cause instanceof AccessDeniedException) {
            return false;
        }
        if (saysDiskFull(cause)) {
            return true;
        }
        // `FileStore` would search the list of mounts, and fails if another process mounts a file system meanwhile.
        Path directory = file.toAbsolutePath().resolveSibling("");
        return file.getFileSystem().equals(FileSystems.getDefault()) && Files.isDirectory(directory)
                && directory.toFile().getUsableSpace() < PageSize.BYTES;
    }

    /// The texts of `ENOSPC` and `EDQUOT`.
    private static boolean saysDiskFull(IOException cause) {
        String reason = reason(cause);
        return reason.contains("No space left on device") || reason.contains("Disk quota exceeded");
    }

    /// The reason that the system gives, without the path. Without such a reason, the result is the name of the class
    /// of the exception.
    public static String reason(IOException cause) {
        String words = cause instanceof FileSystemException named ? named.getReason() : cause.getMessage();
        return words != null ? words : switch (cause) {
            case NoSuchFileException _ -> "No such file or directory";
            case AccessDeniedException _ -> "Permission denied";
            default -> cause.getClass().getSimpleName();
        };
    }

    /// The file system refuses a file of the requested size. It may allow several smaller files.
    public static final class FileTooLargeException extends UncheckedIOException {
        private static final long serialVersionUID = 1L;

        FileTooLargeException(String message, IOException cause) {
            super(message, cause);
        }
    }
}
