package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogScan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Changes catalogs as a failure of the machine does.
final class TestCatalog {
    private TestCatalog() {}

    /// Makes the record of a data file zero.
    static void clearRecordOfFile(Path base, int number) throws IOException {
        Path file = ImageFiles.catalog(base);
        try (CatalogReader catalog = CatalogReader.open(file);
                FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            CatalogScan scan = CatalogScan.of(catalog);
            for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
                if (entry instanceof CatalogEntry.DataFile record && record.number() == number) {
                    channel.write(ByteBuffer.allocate((int) CatalogFormat.LINE), record.line() * CatalogFormat.LINE);
                }
            }
        }
    }

    /// Cuts a catalog behind the first line of its last run.
    static void cutInRun(Path base) throws IOException {
        Path file = ImageFiles.catalog(base);
        try (CatalogReader catalog = CatalogReader.open(file);
                FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            int line = -1;
            CatalogScan scan = CatalogScan.of(catalog);
            for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
                line = entry instanceof CatalogEntry.Run run ? run.line() : line;
            }
            channel.truncate((line + 1) * CatalogFormat.LINE);
        }
    }
}
