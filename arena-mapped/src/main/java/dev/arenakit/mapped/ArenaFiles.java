package dev.arenakit.mapped;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The data files of one arena: `base-0`, `base-1` and so on, each mapped as a whole.
///
/// For use by several threads, one at a time: who does more than one thing holds this object's monitor.
final class ArenaFiles {
    private final Path base;

    /// Whose scope the mappings get.
    private final Arena arena;
    private final @Nullable Catalog catalog;

    /// Whether files may be there that an earlier owner made and did not come to record. They are left alone.
    private final boolean isReopened;

    /// How many numbers are taken, and the number of the next file.
    private int count;
    private int mappings;

    /// The files of earlier owners that are mapped, by their numbers.
    private final Map<Integer, MemorySegment> existing = new HashMap<>();

    /// @param image where files are recorded, or null; earlier owners may have made some
    ArenaFiles(Path base, Arena arena, @Nullable OwnImage image) {
        this.base = base;
        this.arena = arena;
        catalog = image == null ? null : image.catalog();
        count = image == null ? 0 : image.inheritance().files();
        isReopened = image != null && image.isReopened();
    }

    Path base() {
        return base;
    }

    /// Creates the next file and maps it. On failure nothing is left behind and the number is free again.
    ///
    /// @param fileByteSize  the size of the file; halved while the file system or the address space refuses it
    /// @param leastByteSize where the halving ends
    /// @param byteSize      what the user asked for, for the message of a failure
    synchronized Chunk map(long fileByteSize, long leastByteSize, long byteSize) {
        int line = catalog == null ? 0 : catalog.claim();
        boolean reserved = false;
        boolean made = false;
        try {
            Mappings.reserve();
            reserved = true;
            while (isReopened && Files.exists(DataFiles.file(base, count), LinkOption.NOFOLLOW_LINKS)) {
                count++;
            }
            MemorySegment segment = create(DataFiles.file(base, count), fileByteSize, leastByteSize, byteSize);
            record(line, segment.byteSize());
            made = true;
            mappings++;
            return new Chunk(segment, count++, 0);
        } finally {
            if (!made) {
                if (reserved) {
                    Mappings.release(1);
                }
                if (catalog != null) {
                    catalog.giveBack(line);
                }
            }
        }
    }

    /// The arena may have been closed meanwhile, and its catalog with it.
    private void record(int line, long fileByteSize) {
        boolean recorded = false;
        try {
            if (catalog != null) {
                catalog.addFile(line, count, fileByteSize);
            }
            recorded = true;
        } finally {
            if (!recorded) {
                OwnFiles.delete(DataFiles.file(base, count));
            }
        }
    }

    /// The file in which an earlier owner has left room, from where on it is free.
    Chunk resume(Inheritance.Free free) {
        return new Chunk(existing(free.file(), free.end()), free.file(), free.start());
    }

    /// A file that an earlier owner has made, mapped when it is asked for the first time.
    ///
    /// @param end how long it has to be at least
    synchronized MemorySegment existing(int number, long end) {
        MemorySegment mapped = existing.get(number);
        if (mapped == null || mapped.byteSize() < end) {
            mapped = mapExisting(number, end);
            existing.put(number, mapped);
        }
        return mapped;
    }

    private MemorySegment mapExisting(int number, long end) {
        Path file = DataFiles.file(base, number);
        Mappings.reserve();
        boolean mapped = false;
        try {
            MemorySegment segment = OwnFiles.uninterrupted(() -> {
                try (FileChannel channel = OwnFiles.open(file)) {
                    long byteSize = channel.size();
                    if (byteSize < end) {
                        throw FileErrors.truncated(file, byteSize, end);
                    }
                    return channel.map(MapMode.READ_WRITE, 0, byteSize, arena);
                }
            });
            mapped = true;
            mappings++;
            return segment;
        } catch (IOException e) {
            throw FileErrors.mapExisting(file, end, e);
        } finally {
            if (!mapped) {
                Mappings.release(1);
            }
        }
    }

    /// Writes what was stored in all files to the device.
    synchronized void force() throws IOException {
        for (int number = 0; number < count; number++) {
            try {
                OwnFiles.force(DataFiles.file(base, number));
            } catch (NoSuchFileException _) {
                // Somebody has removed it, or an earlier owner did not come to make it.
            }
        }
    }

    /// Gives up the count of the mappings, which are gone, and deletes the files if asked to. Again, it does nothing.
    ///
    /// @throws UncheckedIOException when files could not be deleted, after all others were
    synchronized void release(boolean delete) {
        int files = count;
        count = 0;
        Mappings.release(mappings);
        mappings = 0;
        if (!delete) {
            return;
        }
        UncheckedIOException failure = null;
        for (int number = 0; number < files; number++) {
            try {
                OwnFiles.delete(DataFiles.file(base, number));
            } catch (UncheckedIOException e) {
                failure = join(failure, e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private MemorySegment create(Path file, long fileByteSize, long leastByteSize, long byteSize) {
        try {
            return OwnFiles.uninterrupted(() -> createAndMap(file, fileByteSize, leastByteSize, byteSize));
        } catch (IOException e) {
            throw FileErrors.close(file, byteSize, e);
        }
    }

    private MemorySegment createAndMap(Path file, long fileByteSize, long leastByteSize, long byteSize)
            throws IOException {
        FileChannel created;
        try {
            created = OwnFiles.create(file);
        } catch (IOException e) {
            throw FileErrors.create(file, byteSize, e);
        }
        try (FileChannel channel = created) {
            return mapLargest(channel, file, fileByteSize, leastByteSize, byteSize);
        } catch (Throwable t) {
            try {
                OwnFiles.delete(file);
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

    private static UncheckedIOException join(@Nullable UncheckedIOException first, UncheckedIOException next) {
        if (first == null) {
            return next;
        }
        first.addSuppressed(next);
        return first;
    }
}
