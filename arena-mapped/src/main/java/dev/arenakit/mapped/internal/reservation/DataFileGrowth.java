package dev.arenakit.mapped.internal.reservation;

import dev.arenakit.internal.file.AddressRange;
import dev.arenakit.internal.file.FileBlocks;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.internal.files.AllocationParts;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.mapped.internal.files.FileTrust;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntFunction;

/// Grows the data files of allocations, with or without their blocks, and makes holes in them. The caller holds the
/// monitor of the data files.
public final class DataFileGrowth {
    private final Path base;
    private final IntFunction<FileIdentity> files;
    private final int firstOwn;
    private final boolean reserved;
    private final ReservedSpace space;

    /// @param files    the mapped files by their numbers
    /// @param firstOwn the number of the first file that previous owners have not made
    /// @param reserved whether all blocks are reserved
    public DataFileGrowth(Path base, IntFunction<FileIdentity> files, int firstOwn, boolean reserved,
            ReservedSpace space) {
        this.base = base;
        this.files = files;
        this.firstOwn = firstOwn;
        this.reserved = reserved;
        this.space = space;
    }

    /// Grows the files of an allocation. The new range is a hole, unless the arena is reserved.
    ///
    /// @param file         the number of the first file
    /// @param partByteSize the size of each file except for the last one, or 0 if there is one file
    /// @param byteSize     the recorded size of the allocation
    /// @throws dev.arenakit.mapped.DiskFullException if blocks are reserved, and the disk has no room; nothing has
    ///                                               changed
    public void grow(int file, long partByteSize, long byteSize, long newByteSize) {
        if (reserved) {
            growStored(file, partByteSize, byteSize, newByteSize);
        } else {
            growSparse(file, partByteSize, byteSize, newByteSize);
        }
    }

    /// Grows the files of an allocation, and reserves the blocks of the new range if there is one file, and if the
    /// system and the file system can reserve blocks.
    ///
    /// @throws dev.arenakit.mapped.DiskFullException if the disk has no room; nothing has changed
    public void growStored(int file, long partByteSize, long byteSize, long newByteSize) {
        if (partByteSize == 0) {
            try {
                new DiskReservation(files.apply(file), space).grow(byteSize, newByteSize, file < firstOwn);
                return;
            } catch (UnsupportedOperationException | IllegalCallerException e) {
                if (reserved) {
                    throw e;
                }
            }
        }
        growSparse(file, partByteSize, byteSize, newByteSize);
    }

    /// Grows the files of an allocation. No file that this owner has made becomes smaller: the bytes behind the
    /// recorded end are zero, or belong to another owner who has taken the image over. Before the machine failed, a
    /// previous owner may have grown and written its files without a record, and these bytes are cut off or cleared.
    ///
    /// @throws UncheckedIOException if a file is missing or was replaced, or the file system refuses its size
    private void growSparse(int first, long partByteSize, long byteSize, long newByteSize) {
        long offset = 0;
        for (AllocationPart part : AllocationParts.list(first, 0, newByteSize, partByteSize)) {
            FileIdentity file = files.apply(part.file());
            long kept = first < firstOwn ? Math.clamp(byteSize - offset, 0, part.byteSize()) : Long.MAX_VALUE;
            try {
                growFile(file, kept, part.byteSize());
            } catch (FileTrust.UntrustedException e) {
                throw FileErrors.untrusted(e);
            } catch (IOException e) {
                throw FileErrors.grow(file.path(), newByteSize, part.byteSize(), e);
            }
            offset += part.byteSize();
        }
    }

    /// @param kept the size up to which the file is not cut off
    private static void growFile(FileIdentity file, long kept, long newByteSize) throws IOException {
        SafeFiles.withChannel(file::open, channel -> {
            if (channel.size() > kept) {
                if (AddressRange.isKnownFor(file.path())) {
                    SafeFiles.setByteSize(channel, kept);
                } else {
                    // Other systems may refuse to truncate a file that is mapped.
                    SafeFiles.clear(channel, kept, newByteSize);
                }
            }
            SafeFiles.growTo(channel, newByteSize);
            return file;
        });
    }

    /// Makes a range of an allocation a hole.
    ///
    /// @param file         the number of the first file
    /// @param partByteSize the size of each file except for the last one, or 0 if there is one file
    /// @return false if the arena is reserved, or the system or the file system makes no holes; nothing has changed
    public boolean punch(int file, long partByteSize, long byteOffset, long byteSize) {
        if (reserved) {
            return false;
        }
        long partStart = 0;
        for (AllocationPart part : AllocationParts.list(file, 0, byteOffset + byteSize, partByteSize)) {
            long start = Math.max(byteOffset - partStart, 0);
            if (start < part.byteSize() && !punch(files.apply(part.file()), start, part.byteSize() - start)) {
                return false;
            }
            partStart += part.byteSize();
        }
        return true;
    }

    /// Reserves the blocks of a range that [#punch] has made a hole, if that is possible.
    ///
    /// @throws dev.arenakit.mapped.DiskFullException if the disk has no room
    public void storeAgain(int file, long partByteSize, long byteOffset, long byteSize) {
        if (reserved || partByteSize != 0) {
            return;
        }
        FileIdentity identity = files.apply(file);
        try (FileBlocks blocks = identity.openBlocks()) {
            blocks.reserve(byteOffset, byteSize);
        } catch (UnsupportedOperationException | IllegalCallerException _) {
            // The range is sparse, as all memory is where blocks cannot be reserved.
        } catch (IOException e) {
            throw FileErrors.reserve(identity.path(), byteSize, e);
        }
    }

    private static boolean punch(FileIdentity file, long byteOffset, long byteSize) {
        try (FileBlocks blocks = file.openBlocks()) {
            return blocks.punch(byteOffset, byteSize);
        } catch (UnsupportedOperationException | IllegalCallerException _) {
            return false;
        } catch (IOException e) {
            throw FileErrors.punch(file.path(), byteSize, e);
        }
    }

    /// Grows the files of an allocation of a previous owner to their recorded sizes. If the machine has failed, the
    /// record of the last size may be on the device, and the size of the file not.
    ///
    /// @param forcedByteSize the bytes that are on the device; files without them stay as they are, and are reported
    ///                       when they are mapped
    public void restoreByteSize(int first, long partByteSize, long byteSize, long forcedByteSize) {
        long offset = 0;
        for (AllocationPart part : AllocationParts.list(first, 0, byteSize, partByteSize)) {
            Path file = ImagePaths.data(base, part.file());
            long least = Math.clamp(forcedByteSize - offset, 0, part.byteSize());
            try {
                FileIdentity identity = FileIdentity.of(file);
                SafeFiles.withChannel(identity::open, channel -> {
                    if (channel.size() >= least) {
                        SafeFiles.growTo(channel, part.byteSize());
                    }
                    return file;
                });
            } catch (IOException e) {
                throw FileErrors.mapExisting(file, part.byteSize(), e);
            }
            offset += part.byteSize();
        }
    }

    /// Reserves the blocks of an allocation of a previous owner if the arena is reserved, before its file is mapped: a
    /// mapping that is not used would stay until the arena is closed.
    public void reserveExisting(int number, long byteSize) {
        if (!reserved) {
            return;
        }
        Path file = ImagePaths.data(base, number);
        try {
            FileIdentity identity = FileIdentity.of(file);
            // If the file is truncated, this does not make it larger.
            long fileByteSize = Files.size(file);
            new DiskReservation(identity, space).reserveExisting(0, Math.min(byteSize, fileByteSize), fileByteSize);
        } catch (IOException e) {
            throw FileErrors.mapExisting(file, byteSize, e);
        }
    }
}
