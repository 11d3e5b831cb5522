package dev.arenakit.mapped;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// Deletes the files of an image that nobody owns.
final class ImageRemoval {
    /* While this process holds the lock, nobody reopens the image. The data files go first and the catalog last: what could not be
     * deleted is still recorded, and can be deleted later. */

    private final Path base;
    private @Nullable IOException failure;

    private ImageRemoval(Path base) {
        this.base = base;
    }

    /// @throws IllegalStateException when a process owns the image
    /// @throws IOException           when it is no image, or a file is left
    static void remove(Path base) throws IOException {
        checkCatalog(base);
        ImageLock lock = ImageLock.acquire(base);
        if (lock == null) {
            throw OwnImage.owned(base, "let it close the image first");
        }
        try (lock) {
            new ImageRemoval(base).run(lock);
        }
    }

    private static void checkCatalog(Path base) throws IOException {
        Path file = Catalog.file(base);
        if (!attributes(file).isRegularFile()) {
            throw new FileSystemException(file.toString(), null, "Not a regular file");
        }
        // Before anything is made: a lock beside what is no image would be left there.
        CatalogReader.open(file).close();
    }

    private void run(ImageLock lock) throws IOException {
        try (CatalogReader catalog = CatalogReader.open(Catalog.file(base))) {
            CatalogScan scan = new CatalogScan(catalog);
            for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
                if (entry instanceof CatalogEntry.DataFile file) {
                    removeFile(DataFiles.file(base, file.number()));
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
        Files.delete(Catalog.file(base));
        lock.delete();
    }

    private void removeFile(Path file) {
        try {
            if (!attributes(file).isRegularFile()) {
                throw new FileSystemException(file.toString(), null,
                        "Not a regular file, which an arena would have made");
            }
            Files.delete(file);
        } catch (NoSuchFileException _) {
            // Somebody has removed it, or its owner did not come to make it.
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
