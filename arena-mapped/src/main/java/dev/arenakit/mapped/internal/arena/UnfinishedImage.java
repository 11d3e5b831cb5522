package dev.arenakit.mapped.internal.arena;

import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogScan;
import dev.arenakit.mapped.internal.data.RecordedFiles;
import dev.arenakit.mapped.internal.files.FileTrust;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// An image whose creator was killed while it created the image. It consists of a catalog without a record of an owner,
/// an allocation or a data file. Its data files contain no data: only its creator can have made them, or they belong to
/// an image before it.
public final class UnfinishedImage {
    /// The largest size of the catalog of a new image.
    private static final int LARGEST = 1 << 20;

    private UnfinishedImage() {}

    /// Whether there is a catalog of this user's that its creator has not finished. The creator may still be running.
    ///
    /// @return false if another program may have made the file: a file of zeros without a lock file, or beside data
    /// @throws IOException if a file cannot be read
    public static boolean exists(Path base) throws IOException {
        return Files.exists(ImagePaths.lock(base), LinkOption.NOFOLLOW_LINKS) && isUnfinished(base);
    }

    /// Deletes the catalog of an unfinished image, which the caller has locked.
    ///
    /// @return whether there was an unfinished image; false if there is no catalog, or the file belongs to a complete
    ///         image, to another program, or to another user
    /// @throws IOException if the catalog cannot be read or deleted
    public static boolean delete(Path base) throws IOException {
        boolean isUnfinished = isUnfinished(base);
        if (isUnfinished) {
            for (Path file : ImagePaths.dataFiles(base)) {
                Files.delete(file);
            }
            Files.delete(ImagePaths.catalog(base));
        }
        return isUnfinished;
    }

    /// Whether the catalog of an image is unfinished, and its data files contain no data.
    private static boolean isUnfinished(Path base) throws IOException {
        Path catalog = ImagePaths.catalog(base);
        if (!Files.isRegularFile(catalog, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try {
            FileTrust.check(catalog);
        } catch (FileTrust.UntrustedException _) {
            return false;
        }
        return SafeFiles.uninterrupted(() -> isNotFinished(catalog)) && !hasData(base);
    }

    private static boolean hasData(Path base) throws IOException {
        for (Path file : ImagePaths.dataFiles(base)) {
            if (!RecordedFiles.isEmpty(file)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isNotFinished(Path catalog) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(LARGEST).order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel channel = SafeFiles.openToRead(catalog)) {
            if (channel.size() > LARGEST) {
                return false;
            }
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // A file of another program may grow meanwhile.
            }
        }
        boolean isCatalog = bytes.getLong(0) == CatalogFormat.MAGIC;
        return isZero(bytes, isCatalog ? (int) CatalogFormat.FIRST_ENTRY : 0) || (isCatalog && hasNoRecord(catalog));
    }

    /// Whether the process was killed before it had recorded itself: the text with the name of its JVM comes first.
    private static boolean hasNoRecord(Path catalog) throws IOException {
        try (CatalogReader reader = CatalogReader.open(catalog)) {
            if (!reader.isHeaderIntact()) {
                return false;
            }
            CatalogScan scan = CatalogScan.ofWholeFile(reader);
            for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
                boolean isRecord = switch (entry) {
                    case CatalogEntry.Text _ -> false;
                    case CatalogEntry.Unreadable unreadable -> unreadable.isFinished();
                    default -> true;
                };
                if (isRecord) {
                    return false;
                }
            }
            return true;
        } catch (IOException _) {
            // Another release has written it.
            return false;
        }
    }

    private static boolean isZero(ByteBuffer bytes, int from) {
        return bytes.clear().position(from).mismatch(ByteBuffer.allocate(LARGEST).position(from)) < 0;
    }
}
