package dev.arenakit.mapped.internal.reservation;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.diagnostics.event.MemoryEvents;
import dev.arenakit.internal.file.FileBlocks;
import dev.arenakit.internal.file.FileExtents;
import dev.arenakit.mapped.DiskFullException;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.mapped.internal.files.FileTrust;
import dev.arenakit.mapped.internal.files.PageSize;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;

/// Reserves the blocks of a data file before its memory is handed out, so that a full disk is an exception of the
/// allocation and not an error of a store. The caller holds the lock of the arena.
public final class DiskReservation {
    /* The kernel caches a file in folios of up to 2 MiB, which are aligned in the file. At the first store to a page,
     * it allocates the blocks of the whole folio, up to the end of the file. A store next to a hole would fail on a
     * full disk. Therefore blocks are reserved in granules of that size, and memory is handed out in complete granules
     * only.
     *
     * Blocks are reserved ahead of the allocations, in units that double. When the disk has no room for a unit, the
     * blocks that the file system has allocated for it are given back, and the unit is halved, down to the size that
     * the allocation needs. */

    private static final long GRANULE = 2L << 20;
    private static final long LARGEST_UNIT = 16L << 20;

    private final FileIdentity file;
    private final ReservedSpace space;
    private long unit = GRANULE;
    /// The counted space of a new file.
    private long counted;

    /// Makes the reservation of a data file.
    ///
    /// @param file  a data file
    /// @param space counts the space of its arena
    public DiskReservation(FileIdentity file, ReservedSpace space) {
        this.file = file;
        this.space = space;
    }

    /// Checks that this process can reserve blocks in the directory of a base.
    ///
    /// @throws UnsupportedOperationException  if the system or the file system cannot do that
    /// @throws IllegalCallerException         if native access is denied
    /// @throws java.io.UncheckedIOException   if no file can be created there
    public static void checkSupported(Path base) {
        FileExtents.require(base);
        try {
            SafeFiles.probe(base, (probe, _) -> {
                try (FileBlocks blocks = FileBlocks.open(probe)) {
                    blocks.reserve(0, PageSize.BYTES);
                    return probe;
                }
            });
        } catch (UnsupportedOperationException e) {
            throw new UnsupportedOperationException("Arena cannot be reserved: base=" + base + ", reason="
                    + e.getMessage() + "; pass a base on ext4, XFS or tmpfs, or build the arena without reserved()", e);
        } catch (IOException e) {
            throw FileErrors.create(base.toAbsolutePath().resolveSibling(""), 0, e);
        }
    }

    /// Reserves the start of a new file. After a call, it may be called again for a file of another size.
    ///
    /// @return the end of the reserved range
    /// @throws DiskFullException if the disk has no room; the caller deletes the file, and calls [#deleted]
    public long reserveNew(long byteSize, long fileByteSize) {
        long end = Math.min(Sizes.alignUp(byteSize, GRANULE), fileByteSize);
        deleted();
        space.require(end);
        counted = end;
        try (FileBlocks blocks = file.openBlocks()) {
            checkSpace(end);
            blocks.reserve(0, end);
        } catch (IOException e) {
            throw FileErrors.reserve(file.path(), byteSize, e);
        }
        MemoryEvents.diskReserved(file.path(), end);
        return end;
    }

    /// Subtracts the space of a new file that is deleted.
    public void deleted() {
        space.subtract(counted);
        counted = 0;
    }

    /// Reserves more of a file, behind the range that has been handed out.
    ///
    /// @param from the end of the reserved range, or of the range that a previous owner may have handed out
    /// @param to   the end of the range that is needed
    /// @param end  the end of the file
    /// @return the new end of the reserved range, which is `to` or more
    /// @throws DiskFullException if the disk has no room; the reserved range is the same as before
    /// @throws dev.arenakit.CapacityExceededException if the budget is exceeded; the same
    public long extend(long from, long to, long end) {
        long least = Math.min(Sizes.alignUp(to, GRANULE), end);
        try (FileBlocks blocks = file.openBlocks()) {
            while (true) {
                long next = Math.min(Math.max(least, Sizes.alignUp(from + unit, GRANULE)), end);
                if (tryReserve(blocks, from, next, next == least)) {
                    unit = Math.min(2 * unit, LARGEST_UNIT);
                    return next;
                }
                unit = Math.max(unit / 2, GRANULE);
            }
        } catch (IOException e) {
            throw FileErrors.reserve(file.path(), to - from, e);
        }
    }

    /// Grows a file, and reserves the blocks of the new range. The file ends where its blocks end, so that no folio
    /// reaches beyond them.
    ///
    /// @param from         the recorded size of the allocation, which the file has for itself
    /// @param isOfPrevious whether a previous owner has made the file; bytes behind the recorded size, which that owner
    ///                     has not recorded, are cut off
    /// @throws DiskFullException if the disk has no room; the file has its previous size, and no blocks behind it
    /// @throws dev.arenakit.CapacityExceededException if the budget is exceeded; nothing has changed
    /// @throws java.io.UncheckedIOException if the file is missing or was replaced, or cannot have the size
    public void grow(long from, long to, boolean isOfPrevious) {
        // If an error of the JVM has interrupted an earlier call, the recorded size may be larger.
        long added = Math.max(to - from, 0);
        space.require(added);
        try (FileBlocks blocks = file.openBlocks()) {
            checkSpace(added);
            long before = cutOff(isOfPrevious ? from : Long.MAX_VALUE);
            // A store before the new range may need its folio, and the folio may have holes.
            long start = alignDown(Math.min(from, to));
            try {
                blocks.reserve(start, to - start);
            } catch (IOException e) {
                giveBack(before, e);
                throw e;
            }
        } catch (IOException e) {
            space.subtract(added);
            throw e instanceof FileTrust.UntrustedException untrusted
                    ? FileErrors.untrusted(untrusted)
                    : FileErrors.reserve(file.path(), added, e);
        } catch (UnsupportedOperationException | IllegalCallerException e) {
            // After an Error, the space stays counted: blocks may have been reserved.
            space.subtract(added);
            throw e;
        }
        MemoryEvents.diskReserved(file.path(), added);
    }

    /// Truncates the file to a size.
    ///
    /// @return the present size
    private long cutOff(long largest) throws IOException {
        return SafeFiles.withChannel(file::open, channel -> channel.truncate(largest).size());
    }

    /// Frees the blocks behind the end that the file had before a failed call. The owner, which has native access, has
    /// not lost its lock meanwhile: no other owner has grown the file.
    private void giveBack(long byteSize, IOException cause) {
        try {
            SafeFiles.withChannel(file::open, channel -> {
                // Blocks may be behind the end of the file. To set its size frees them, and to make a hole does
                // not. The JDK does not set a size that the file has already.
                SafeFiles.growTo(channel, byteSize + 1);
                return channel.truncate(byteSize);
            });
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /// @param isLeast whether a failure is final
    private boolean tryReserve(FileBlocks blocks, long from, long to, boolean isLeast) throws IOException {
        if (!space.add(to - from)) {
            if (isLeast) {
                throw space.exceeded(to - from);
            }
            return false;
        }
        try {
            checkSpace(to - from);
            long start = alignDown(from);
            blocks.reserve(start, to - start);
            MemoryEvents.diskReserved(file.path(), to - from);
            return true;
        } catch (IOException e) {
            giveBack(blocks, from, to, e);
            space.subtract(to - from);
            if (isLeast) {
                throw e;
            }
            return false;
        }
    }

    /// Frees the blocks that a failed call has allocated. Nothing behind the reserved range has been handed out.
    private static void giveBack(FileBlocks blocks, long from, long to, IOException cause) {
        try {
            blocks.punch(from, to - from);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /// Reserves the holes of an allocation that a previous owner has made. Blocks that were reserved before a failure
    /// stay reserved: other processes may have stored to them.
    ///
    /// @throws DiskFullException if the disk has no room
    public void reserveExisting(long byteOffset, long byteSize, long fileByteSize) {
        long start = alignDown(byteOffset);
        long end = Math.min(Sizes.alignUp(byteOffset + byteSize, GRANULE), fileByteSize);
        try (FileBlocks blocks = file.openBlocks()) {
            long missing = Math.max(0, end - start - blocks.extents().storedByteSize().orElse(end - start));
            checkSpace(missing);
            // After a failure, it stays counted, since a part of it stays reserved.
            space.require(missing);
            blocks.reserve(start, end - start);
            MemoryEvents.diskReserved(file.path(), missing);
        } catch (IOException e) {
            throw FileErrors.reserve(file.path(), byteSize, e);
        }
    }

    /// Refuses a reservation that the disk cannot hold: other programs would find the disk full until the blocks are
    /// given back.
    private void checkSpace(long byteSize) throws IOException {
        // `FileStore` would search the list of mounts, and fails if another process mounts a file system meanwhile.
        File disk = file.path().toFile();
        // Both sizes are 0 if the system does not tell them.
        if (byteSize > disk.getFreeSpace() && disk.getTotalSpace() > 0) {
            throw new IOException("No space left on device");
        }
    }

    private static long alignDown(long byteOffset) {
        return byteOffset & -GRANULE;
    }
}
