package dev.arenakit.mapped.internal.data;

import dev.arenakit.internal.file.AddressRange;
import dev.arenakit.mapped.internal.files.ChannelMapper;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.NewFile;
import dev.arenakit.mapped.internal.files.SafeFiles;
import dev.arenakit.mapped.internal.reservation.DiskReservation;
import dev.arenakit.mapped.internal.reservation.ReservedSpace;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Creates one data file of an arena and maps it.
final class DataFileCreator {
    private final MappedFiles mapped;
    private final FileMode mode;
    /// Counts the blocks that are reserved, or null if none are.
    private final @Nullable ReservedSpace reserved;

    DataFileCreator(MappedFiles mapped, FileMode mode, @Nullable ReservedSpace reserved) {
        this.mapped = mapped;
        this.mode = mode;
        this.reserved = reserved;
    }

    /// The request for a new file, as the arguments of [DataFileWriter#map] and [DataFileWriter#mapGrowable] describe it.
    record Request(long fileByteSize, long leastByteSize, long needed, long byteSize, boolean isEmpty) {}

    /// Creates a file and maps it as a whole.
    Chunk create(int number, Request request) {
        Path file = ImagePaths.data(mapped.base(), number);
        AtomicReference<@Nullable FileIdentity> left = new AtomicReference<>();
        try {
            return SafeFiles.uninterrupted(() -> createAndMap(number, file, request, left));
        } catch (IOException e) {
            throw FileErrors.close(file, request.byteSize, e);
        }
    }

    /// @param left the file that an interrupted attempt has left, or null
    private Chunk createAndMap(int number, Path file, Request request, AtomicReference<@Nullable FileIdentity> left)
            throws IOException {
        NewFile created;
        try {
            FileIdentity earlier = left.get();
            created = earlier == null ? NewFile.create(file, mode) : new NewFile(earlier.open(), earlier);
        } catch (IOException e) {
            throw FileErrors.create(file, request.byteSize, e);
        }
        try (created) {
            FileIdentity identity = created.identity();
            mapped.identify(identity, number);
            DiskReservation reservation = reserved == null || request.isEmpty
                    ? null
                    : new DiskReservation(identity, reserved);
            Chunk chunk = mapLargest(created.channel(), number, file, request, reservation);
            // Other systems may refuse to truncate a file that is mapped. It is sparse in any case.
            if (request.isEmpty && AddressRange.isKnownFor(file)) {
                empty(created);
            }
            return chunk;
        } catch (ClosedByInterruptException e) {
            // This method is called again, and creates the file anew. After another exception, the caller deletes it.
            // Other systems may refuse to delete a file that is mapped.
            if (AddressRange.isKnownFor(file)) {
                SafeFiles.delete(file);
            } else {
                left.set(created.identity());
            }
            throw e;
        }
    }

    /// Empties a new file that is mapped. The arena has the mapping now, and keeps it: an interrupt, which closes the
    /// channel, must not end this call.
    private static void empty(NewFile file) throws IOException {
        try {
            file.channel().truncate(0);
        } catch (ClosedByInterruptException _) {
            SafeFiles.withChannel(file.identity()::open, reopened -> reopened.truncate(0));
        }
    }

    private Chunk mapLargest(FileChannel channel, int number, Path file, Request request,
            @Nullable DiskReservation reservation) throws IOException {
        try {
            return mapLargestReserved(channel, number, file, request, reservation);
        } catch (Throwable t) {
            // The file is not mapped, and is deleted.
            if (reservation != null) {
                reservation.deleted();
            }
            throw t;
        }
    }

    private Chunk mapLargestReserved(FileChannel channel, int number, Path file, Request request,
            @Nullable DiskReservation reservation) throws IOException {
        long size = request.fileByteSize;
        while (true) {
            // Before the file is mapped: on failure it is deleted, but a mapping would keep its blocks until the arena
            // is closed.
            long limit = reservation == null ? size : reservation.reserveNew(request.needed, size);
            try {
                if (request.isEmpty) {
                    return new Chunk(mapped.advised(ChannelMapper.mapAtMost(channel, file, size, request.needed,
                            mapped.arena(), true)), number, 0);
                }
                MemorySegment segment = ChannelMapper.mapNew(channel, file, size, mapped.arena());
                return new Chunk(mapped.advised(segment), number, 0, limit, reservation);
            } catch (ClosedByInterruptException e) {
                throw e;
            } catch (IOException e) {
                if (size == request.leastByteSize) {
                    throw failure(channel, file, size, request, e);
                }
                // A file that was grown but not mapped keeps its size, and would hide that the next size is refused.
                channel.truncate(0);
                size = Math.max(size / 2, request.leastByteSize);
            }
        }
    }

    /// Creates an empty file, and maps it over unused addresses.
    Chunk createOver(int number, MemorySegment unused) {
        Path file = ImagePaths.data(mapped.base(), number);
        boolean isMapped = false;
        try {
            Chunk chunk = SafeFiles.uninterrupted(() -> {
                try (NewFile created = NewFile.create(file, mode)) {
                    mapped.identify(created.identity(), number);
                    AddressRange.map(unused, file, created.identity().key());
                    return new Chunk(mapped.advised(unused), number, 0);
                } catch (ClosedByInterruptException e) {
                    // This method is called again, and creates the file anew.
                    SafeFiles.delete(file);
                    throw e;
                }
            });
            isMapped = true;
            return chunk;
        } catch (IOException e) {
            throw FileErrors.create(file, unused.byteSize(), e);
        } finally {
            if (!isMapped) {
                mapped.replaced().giveBack(unused);
            }
        }
    }

    private static RuntimeException failure(FileChannel channel, Path file, long fileByteSize, Request request,
            IOException cause) throws IOException {
        long byteSize = request.byteSize;
        if (cause.getCause() instanceof OutOfMemoryError) {
            throw request.isEmpty
                    ? FileErrors.noAddressesToGrow(file, request.needed, fileByteSize, cause)
                    : FileErrors.noAddresses(file, byteSize, fileByteSize, cause);
        }
        // Mapping grows the file first. Its size shows which of the two steps has failed, whatever the locale.
        return channel.size() < fileByteSize
                ? FileErrors.grow(file, byteSize, fileByteSize, cause)
                : FileErrors.map(file, byteSize, fileByteSize, cause);
    }
}
