package dev.arenakit.mapped.internal.arena;

import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.OwnerRecord;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogRun;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.mapped.internal.data.DataFileWriter;
import dev.arenakit.mapped.internal.data.FreedAllocations;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileTrust;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.SafeFiles;
import dev.arenakit.mapped.internal.locks.ImageLock;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The image of an open arena: its lock and its catalog, from the time it is created or reopened until it is closed.
public final class OwnedImage {
    private final Path base;
    private final ImageLock lock;
    private final CatalogWriter catalog;
    private final long chunkByteSize;
    private final boolean isReopened;
    private final ReopenedState reopenedState;
    private boolean isClosed;

    private OwnedImage(Path base, ImageLock lock, CatalogWriter catalog, long chunkByteSize, boolean isReopened,
            ReopenedState reopenedState) {
        this.base = base;
        this.lock = lock;
        this.catalog = catalog;
        this.chunkByteSize = chunkByteSize;
        this.isReopened = isReopened;
        this.reopenedState = reopenedState;
    }

    /// Creates an image.
    ///
    /// @param arena the arena whose scope the mapping of the catalog gets
    public static OwnedImage create(Path base, Arena arena, ArenaOptions options) {
        return own(base, options, lock -> {
            deleteUnfinished(base, lock);
            return create(base, arena, options, lock);
        });
    }

    /// Reopens an image.
    ///
    /// @param arena the arena whose scope the mapping of the catalog gets
    public static OwnedImage reopen(Path base, Arena arena, ArenaOptions options) {
        if (!exists(base)) {
            throw FileErrors.noImage(ImagePaths.catalog(base));
        }
        return own(base, options, lock -> reopen(base, arena, options, lock));
    }

    /// Reopens an image, or creates it if there is none.
    ///
    /// @param arena the arena whose scope the mapping of the catalog gets
    public static OwnedImage reopenOrCreate(Path base, Arena arena, ArenaOptions options) {
        return own(base, options, lock -> {
            deleteUnfinished(base, lock);
            return exists(base) ? reopen(base, arena, options, lock) : create(base, arena, options, lock);
        });
    }

    private static OwnedImage own(Path base, ArenaOptions options, Function<ImageLock, OwnedImage> opening) {
        ImageLock lock = acquire(base, options);
        try {
            return opening.apply(lock);
        } catch (Throwable t) {
            lock.discard();
            throw t;
        }
    }

    private static boolean exists(Path base) {
        return Files.exists(ImagePaths.catalog(base), LinkOption.NOFOLLOW_LINKS);
    }

    /// Without a lock, the process that creates the image may still be running.
    private static void deleteUnfinished(Path base, ImageLock lock) {
        try {
            if (lock.isLocked()) {
                UnfinishedImage.delete(base);
            }
        } catch (IOException e) {
            throw FileErrors.reopen(base, e);
        }
    }

    private static OwnedImage create(Path base, Arena arena, ArenaOptions options, ImageLock lock) {
        CatalogWriter catalog = CatalogWriter.create(base, arena, options.newLevel(), options.chunkByteSize,
                options.mode);
        try {
            lockCatalog(base, lock);
            return new OwnedImage(base, lock, catalog, options.chunkByteSize, false, ReopenedState.none());
        } catch (Throwable t) {
            catalog.file().release();
            SafeFiles.delete(ImagePaths.catalog(base));
            throw t;
        }
    }

    private static OwnedImage reopen(Path base, Arena arena, ArenaOptions options, ImageLock lock) {
        lockCatalog(base, lock);
        Path file = ImagePaths.catalog(base);
        try {
            return SafeFiles.uninterrupted(() -> {
                Object key = FileTrust.check(file);
                try (CatalogReader reader = CatalogReader.open(file)) {
                    reader.checkHeader();
                    CatalogLevel level = options.level == null ? reader.level() : options.level;
                    CatalogWriter catalog = CatalogWriter.map(base, arena, level);
                    try {
                        // The file that was locked, the file that was read and the file that was mapped are the same.
                        FileTrust.checkSame(file, key);
                        ReopenedState state = catalog.takeOver(() -> ReopenedState.read(base, reader));
                        state.files().resolvePlanned(base, catalog, lock.isLocked());
                        state.files().resolveUnrecorded(base, catalog, lock.isLocked());
                        return new OwnedImage(base, lock, catalog, reader.isChunked() ? reader.chunkByteSize() : 0,
                                true,
                                state);
                    } catch (Throwable t) {
                        catalog.file().release();
                        throw t;
                    }
                }
            });
        } catch (IOException e) {
            throw FileErrors.reopen(base, e);
        }
    }

    private static void lockCatalog(Path base, ImageLock lock) {
        try {
            if (lock.lockCatalog()) {
                return;
            }
        } catch (IOException e) {
            throw ImageLock.failure(ImagePaths.catalog(base), e);
        }
        throw owned(base, ", or pass another base");
    }

    private static ImageLock acquire(Path base, ArenaOptions options) {
        try {
            ImageLock lock = ImageLock.acquire(base, options.lock(base));
            if (lock != null) {
                return lock;
            }
        } catch (IOException e) {
            throw ImageLock.failure(ImagePaths.lock(base), e);
        }
        throw owned(base, ", or pass another base");
    }

    /// The exception for an image that has an owner.
    ///
    /// @param alternative the alternative that the message offers to closing the image, or an empty string
    public static IllegalStateException owned(Path base, String alternative) {
        try {
            Optional<OwnerRecord> owner = ownerOf(base);
            if (ImageLock.isHeldByThisProcess(base) || owner.filter(OwnedImage::isThisProcess).isPresent()) {
                return new IllegalStateException("Image is owned by this process: base=" + base
                        + "; close the arena that owns it" + alternative);
            }
            return new IllegalStateException("Image is owned by another process: base=" + base + ", pid="
                    + owner.map(other -> Long.toString(other.pid())).orElse("unknown")
                    + "; wait until that process closes the image or ends" + alternative);
        } catch (IOException e) {
            throw ImageLock.failure(ImagePaths.lock(base), e);
        }
    }

    /// The last recorded owner, unless it has closed the image: the present owner may have locked it and not recorded
    /// itself yet, or it deletes or repairs the image, and does not record itself.
    private static Optional<OwnerRecord> ownerOf(Path base) {
        try (CatalogReader catalog = CatalogReader.open(ImagePaths.catalog(base))) {
            return Optional.of(catalog.owners().getLast()).filter(owner -> !owner.isClosed());
        } catch (IOException | RuntimeException _) {
            return Optional.empty();
        }
    }

    /// Whether a copy of this class in this process owns the image. Another class loader has loaded the copy.
    private static boolean isThisProcess(OwnerRecord owner) {
        ProcessHandle self = ProcessHandle.current();
        return owner.pid() == self.pid()
                && self.info().startInstant().equals(Optional.of(owner.start()));
    }

    public CatalogWriter catalog() {
        return catalog;
    }

    /// Frees the space of allocations that previous owners were freeing when they died.
    public void finishPrevious(DataFileWriter files) {
        if (lock.isLocked() && !reopenedState.freed().isEmpty()) {
            files.freeSpace(reopenedState.freed()
                    .stream()
                    .map(before -> FreedAllocations.Freed.of(catalog, before.allocated(), before.isSlot()))
                    .toList());
        }
    }

    /// The size of a chunk, or 0 if each allocation has a file.
    public long chunkByteSize() {
        return chunkByteSize;
    }

    /// Whether there was a previous owner. It may have made files that are not recorded.
    public boolean isReopened() {
        return isReopened;
    }

    /// The state in which previous owners have left the image.
    public ReopenedState reopenedState() {
        return reopenedState;
    }

    /// Whether no other owner has taken the image over or made it anew, so that its files may be deleted.
    ///
    /// @throws java.io.UncheckedIOException if the catalog cannot be read
    public boolean isOwn() {
        try {
            return catalog.file().isOwn();
        } catch (IOException e) {
            throw FileErrors.close(ImagePaths.catalog(base), 0, e);
        }
    }

    /// Releases the image after the arena and its data files. A second call has no effect: the files may have another
    /// owner by then.
    ///
    /// @param delete whether the catalog and the lock file are deleted
    /// @param runs   the runs that were written
    /// @throws java.io.UncheckedIOException if a file could not be written or deleted; the image is released
    public synchronized void close(boolean delete, List<CatalogRun> runs) {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try (lock) {
            if (delete) {
                catalog.file().release();
                SafeFiles.delete(ImagePaths.catalog(base));
                lock.delete();
            } else {
                catalog.close(runs);
            }
        } catch (IOException e) {
            throw FileErrors.close(ImagePaths.catalog(base), 0, e);
        }
    }
}
