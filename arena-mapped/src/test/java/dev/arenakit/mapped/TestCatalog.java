package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogScan;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.ToIntFunction;

/// Changes catalogs as a failure of the machine does.
final class TestCatalog {
    private TestCatalog() {}

    /// Makes the record of a data file zero.
    static void clearRecordOfFile(Path base, int number) throws IOException {
        clear(base, entry -> entry instanceof CatalogEntry.DataFile record && record.number() == number
                ? record.line()
                : 0);
    }

    /// Makes the record of an allocation zero.
    static void clearRecordOfAllocation(Path base, String name) throws IOException {
        clear(base, entry -> entry instanceof CatalogEntry.Allocated record && record.name().text().equals(name)
                ? record.line()
                : 0);
    }

    /// @param line returns the line of an entry, or 0 if it stays
    private static void clear(Path base, ToIntFunction<CatalogEntry> line) throws IOException {
        Path file = ImageFiles.catalog(base);
        try (CatalogReader catalog = CatalogReader.open(file);
                FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            CatalogScan scan = CatalogScan.of(catalog);
            for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
                if (line.applyAsInt(entry) > 0) {
                    channel.write(ByteBuffer.allocate((int) CatalogFormat.LINE),
                            line.applyAsInt(entry) * CatalogFormat.LINE);
                }
            }
        }
    }

    /// Records another alignment of an allocation that has a data file for itself.
    static void align(Path base, String name, long byteAlignment) throws IOException {
        Path file = ImageFiles.catalog(base);
        try (CatalogReader catalog = CatalogReader.open(file);
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            CatalogScan scan = CatalogScan.of(catalog);
            for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
                if (entry instanceof CatalogEntry.Allocated record && record.name().text().equals(name)) {
                    long at = record.line() * CatalogFormat.LINE;
                    ByteBuffer line = ByteBuffer.allocateDirect((int) CatalogFormat.LINE)
                            .order(ByteOrder.LITTLE_ENDIAN);
                    channel.read(line, at);
                    line.put(9, (byte) Long.numberOfTrailingZeros(byteAlignment));
                    line.putLong((int) CatalogFormat.CHECKSUM,
                            CatalogFormat.checksum(MemorySegment.ofBuffer(line.clear()),
                                    0, record.line(), record.name().checksum(), record.type().checksum()));
                    channel.write(line.clear(), at);
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
