package dev.arenakit.mapped;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// Deletes the files of an image that has no owner.
final class ImageDeletion {
    /* This process holds the lock, so that no other process reopens the image. The catalog is deleted after the data
     * files: a file that could not be deleted is still recorded, and can be deleted later. */

    private final Path base;
    private @Nullable IOException failure;

    private ImageDeletion(Path base) {
        this.base = base;
    }

    /// @throws IllegalStateException if the image has an owner
    /// @throws IOException           if there is no image, or a file could not be deleted
    static void delete(Path base) throws IOException {
        checkCatalog(base);
        ImageLock lock = ImageLock.acquire(base);
        if (lock == null) {
            throw OwnedImage.owned(base, "");
        }
        try (lock) {
            new ImageDeletion(base).run(lock);
        }
    }

    private static void checkCatalog(Path base) throws IOException {
        Path file = ImageFiles.catalog(base);
        if (!attributes(file).isRegularFile()) {
            throw new FileSystemException(file.toString(), null, "Not a regular file");
        }
        // Check first: acquiring the lock would leave a lock file beside a file that is not a catalog.
        CatalogReader.open(file).close();
    }

    private void run(ImageLock lock) throws IOException {
        try (CatalogReader catalog = CatalogReader.open(ImageFiles.catalog(base))) {
            CatalogScan scan = new CatalogScan(catalog);
            for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
                if (entry instanceof CatalogEntry.DataFile file) {
                    removeFile(ImageFiles.data(base, file.number()));
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
        Files.delete(ImageFiles.catalog(base));
        lock.delete();
    }

    private void removeFile(Path file) {
        try {
            if (!attributes(file).isRegularFile()) {
                throw new FileSystemException(file.toString(), null,
                        "Not a regular file, so no arena has made it");
            }
            Files.delete(file);
        } catch (NoSuchFileException _) {
            // The file was removed, or its owner died before it made the file.
        } catch (IOException e) {
            fail(e);
        }
    }

    private void fail(IOException e) {
        if (failure == null) {
            failure = e;
        } else {
            failure.addSuppressed(e);
        }
    }

    private static BasicFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }
}
