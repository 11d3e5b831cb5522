package dev.arenakit.mapped;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The files of one arena: `base-0`, `base-1` and so on, each mapped as a whole.
///
/// Not safe for use by several threads: the arena guards it with a lock.
final class ArenaFiles {
    /// `CREATE_NEW`, because plain `CREATE` would follow a symbolic link that somebody has planted. `SPARSE` is what
    /// Windows needs to be told; elsewhere files have holes without asking.
    private static final Set<OpenOption> NEW_FILE = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
            StandardOpenOption.WRITE, StandardOpenOption.SPARSE);

    private final Path base;

    /// Whose scope the mappings get.
    private final Arena arena;

    /// How many files there are, and the number of the next one.
    private int count;

    ArenaFiles(Path base, Arena arena) {
        this.base = base;
        this.arena = arena;
    }

    Path base() {
        return base;
    }

    /// Creates the next file and maps it. On failure nothing is left behind and the number is free again.
    ///
    /// @param fileByteSize  the size of the file; halved while the file system or the address space refuses it
    /// @param leastByteSize where the halving ends
    /// @param byteSize      what the user asked for, for the message of a failure
    MemorySegment map(long fileByteSize, long leastByteSize, long byteSize) {
        Mappings.reserve();
        boolean mapped = false;
        try {
            MemorySegment segment = mapUninterrupted(file(count), fileByteSize, leastByteSize, byteSize);
            count++;
            mapped = true;
            return segment;
        } finally {
            if (!mapped) {
                Mappings.release(1);
            }
        }
    }

    /// Gives up the count of the mappings, which are gone, and deletes the files if asked to. Again, it does nothing.
    ///
    /// @throws UncheckedIOException when files could not be deleted, after all others were
    void release(boolean delete) {
        int files = count;
        count = 0;
        Mappings.release(files);
        if (!delete) {
            return;
        }
        UncheckedIOException failure = null;
        for (int number = 0; number < files; number++) {
            try {
                delete(file(number));
            } catch (UncheckedIOException e) {
                failure = join(failure, e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /* A channel closes itself when its thread is interrupted, also by an interrupt from long ago. Allocation is not
     * a blocking operation that a caller would expect to be cut short, so the interrupt is put aside and restored. */
    private MemorySegment mapUninterrupted(Path file, long fileByteSize, long leastByteSize, long byteSize) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return createAndMap(file, fileByteSize, leastByteSize, byteSize);
                } catch (ClosedByInterruptException _) {
                    interrupted |= Thread.interrupted();
                } catch (IOException e) {
                    throw FileErrors.close(file, byteSize, e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private MemorySegment createAndMap(Path file, long fileByteSize, long leastByteSize, long byteSize)
            throws IOException {
        FileChannel created;
        try {
            created = FileChannel.open(file, NEW_FILE, ownerOnly(file));
        } catch (IOException e) {
            throw FileErrors.create(file, byteSize, e);
        }
        try (FileChannel channel = created) {
            return mapLargest(channel, file, fileByteSize, leastByteSize, byteSize);
        } catch (Throwable t) {
            try {
                delete(file);
            } catch (UncheckedIOException e) {
                t.addSuppressed(e);
            }
            throw t;
        }
    }

    private MemorySegment mapLargest(FileChannel channel, Path file, long fileByteSize, long leastByteSize,
            long byteSize) throws IOException {
        long size = fileByteSize;
        while (true) {
            try {
                return channel.map(MapMode.READ_WRITE, 0, size, arena);
            } catch (ClosedByInterruptException e) {
                throw e;
            } catch (IOException e) {
                if (size == leastByteSize) {
                    throw failure(channel, file, size, byteSize, e);
                }
                // A file that was grown and not mapped stays grown, and would hide that the next size is refused.
                channel.truncate(0);
                size = Math.max(size / 2, leastByteSize);
            }
        }
    }

    private static RuntimeException failure(FileChannel channel, Path file, long fileByteSize, long byteSize,
            IOException cause) throws IOException {
        if (cause.getCause() instanceof OutOfMemoryError) {
            throw FileErrors.noAddresses(file, byteSize, fileByteSize, cause);
        }
        // Mapping grows the file first: its size tells which of the two steps has failed, in any language.
        return channel.size() < fileByteSize
                ? FileErrors.grow(file, byteSize, fileByteSize, cause)
                : FileErrors.map(file, byteSize, fileByteSize, cause);
    }

    private Path file(int number) {
        return base.resolveSibling(base.getFileName() + "-" + number);
    }

    private static FileAttribute<?>[] ownerOnly(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[]{PosixFilePermissions.asFileAttribute(
                        EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE))}
                : new FileAttribute<?>[0];
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw FileErrors.delete(file, e);
        }
    }

    private static UncheckedIOException join(@Nullable UncheckedIOException first, UncheckedIOException next) {
        if (first == null) {
            return next;
        }
        first.addSuppressed(next);
        return first;
    }
}
