package dev.arenakit.mapped.internal.image;

import dev.arenakit.mapped.internal.arena.OwnedImage;
import dev.arenakit.mapped.internal.arena.UnfinishedImage;
import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogScan;
import dev.arenakit.mapped.internal.data.RecordedFiles;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.files.FileTrust;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.locks.ImageLock;
import dev.arenakit.mapped.internal.locks.LockKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// Deletes the files of an image that has no owner.
public final class ImageDeletion {
    /* This process holds the lock, so that no other process reopens the image. The catalog is deleted after the data
     * files: a file that could not be deleted is still recorded, and can be deleted later. */

    private final Path base;
    private @Nullable IOException failure;

    private ImageDeletion(Path base) {
        this.base = base;
    }

    /// Deletes an image.
    ///
    /// @throws IllegalStateException if the image has an owner
    /// @throws IOException           if there is no image, it is not trusted, or a file could not be deleted
    public static void delete(Path base) throws IOException {
        try {
            delete(base, new ImageLock.Request(FileMode.OWNER_ONLY, true, LockKind.of(base)));
        } catch (FileTrust.UntrustedException e) {
            throw e.visible();
        }
    }

    public static void delete(Path base, ImageLock.Request request) throws IOException {
        // Check first: a lock file beside a file of another program, or of another user, would be of no use.
        FileTrust.check(ImagePaths.catalog(base));
        boolean isUnfinished = UnfinishedImage.exists(base);
        if (!isUnfinished) {
            CatalogReader.open(ImagePaths.catalog(base)).close();
        }
        ImageLock lock = acquire(base, request);
        boolean deleted = false;
        try {
            if (!lock.lockCatalog()) {
                throw OwnedImage.owned(base, "");
            }
            // The lock is held: whoever has created the image has died.
            if (isUnfinished && lock.isLocked() && UnfinishedImage.delete(base)) {
                lock.delete();
            } else {
                new ImageDeletion(base).run(lock);
            }
            deleted = true;
        } finally {
            if (deleted) {
                lock.close();
            } else {
                lock.discard();
            }
        }
    }

    private static ImageLock acquire(Path base, ImageLock.Request request) throws IOException {
        try {
            ImageLock lock = ImageLock.acquire(base, request);
            if (lock == null) {
                throw OwnedImage.owned(base, "");
            }
            return lock;
        } catch (LockKind.NoLocksException e) {
            throw new IOException(ImageLock.noLock(ImagePaths.lock(base), e)
                    + "; make sure that no process has the image open, and delete its files by hand", e);
        }
    }

    private void run(ImageLock lock) throws IOException {
        // The catalog is trusted and locked: its owner has made the files that it records.
        try (CatalogReader catalog = CatalogReader.open(ImagePaths.catalog(base))) {
            BitSet present = new BitSet();
            BitSet planned = new BitSet();
            BitSet removed = new BitSet();
            boolean hasDied = false;
            CatalogScan scan = CatalogScan.of(catalog);
            for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
                switch (entry) {
                    case CatalogEntry.DataFile file -> {
                        if (file.isRemoved()) {
                            removed.set(file.number());
                        } else {
                            (file.isPlanned() ? planned : present).set(file.number());
                        }
                    }
                    case CatalogEntry.Opened owner -> hasDied = owner.state() != CatalogFormat.STATE_ENDED;
                    // A planned file to which an entry refers is there.
                    case CatalogEntry.Run run -> present.set(run.file());
                    case CatalogEntry.Allocated allocated -> {
                        // When the files of other allocations are removed, their state is another one.
                        if (allocated.isLive() || allocated.isFreed()) {
                            allocated.partsOfAllFiles().forEach(part -> present.set(part.file()));
                        }
                    }
                    default -> {
                        // It refers to no data file.
                    }
                }
            }
            planned.andNot(present);
            present.stream().forEach(number -> removeFile(ImagePaths.data(base, number)));
            planned.stream().forEach(number -> removePlanned(ImagePaths.data(base, number)));
            if (hasDied && lock.isLocked()) {
                removed.or(present);
                removed.or(planned);
                RecordedFiles.emptyUnrecorded(base, removed).forEach(this::removeFile);
            }
        }
        if (failure != null) {
            throw failure;
        }
        Files.delete(ImagePaths.catalog(base));
        lock.delete();
    }

    private void removeFile(Path file) {
        try {
            FileTrust.check(file);
            Files.delete(file);
        } catch (NoSuchFileException _) {
            // The file was removed, or its owner died before it made the file.
        } catch (IOException e) {
            fail(e);
        }
    }

    /// Removes a file whose creator has died. Another program may have made a file with its name since.
    private void removePlanned(Path file) {
        try {
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS) || RecordedFiles.isUnused(file)) {
                Files.deleteIfExists(file);
            } else {
                fail(new FileTrust.UntrustedException(file,
                        "its creator died before it wrote to the file, and the file "
                                + "has data or belongs to somebody else; remove it by hand"));
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private void fail(IOException e) {
        IOException visible = e instanceof FileTrust.UntrustedException untrusted ? untrusted.visible() : e;
        if (failure == null) {
            failure = visible;
        } else {
            failure.addSuppressed(visible);
        }
    }
}
