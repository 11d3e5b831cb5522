package dev.arenakit.mapped.internal.catalog;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LINE;

/// Reads the entry of a growing allocation and the count of its elements again, while their owner changes them. The
/// rest of the catalog is not read. Not thread-safe.
public final class GrowingEntry {
    /// A field may be read while its owner stores it, and the count may be newer than the size.
    private static final int ATTEMPTS = 100;

    private final CatalogReader reader;
    private final CatalogWindow window;
    private final int line;

    /// @param number the number of the allocation
    public GrowingEntry(CatalogReader reader, long number) {
        this.reader = reader;
        line = (int) (number * CatalogFormat.SLOT / LINE);
        window = reader.newWindow(2 * LINE);
    }

    /// A growing allocation, and the number of elements in the files.
    ///
    /// @param elementCount 0 if none was stored, or -1 if it is damaged; after a failure of the machine, elements that
    ///                     were not forced do not count
    public record Read(CatalogEntry.Allocated allocated, long elementCount) {}

    /// Reads the entry and the count.
    ///
    /// @param elementByteSize the size of an element
    /// @return null if the entry is damaged, or is not a growing allocation; the number of elements may exceed the size
    ///         only if it does so in the catalog
    public @Nullable Read read(long elementByteSize) throws IOException {
        for (int i = 1;; i++) {
            window.clear();
            CatalogScan scan = CatalogScan.of(reader, window, line - 1, 2);
            CatalogEntry count = scan.next();
            CatalogEntry entry = scan.next();
            long elements = count instanceof CatalogEntry.Count found ? found.orZero(reader.boot()) : -1;
            CatalogEntry.Allocated allocated = entry instanceof CatalogEntry.Allocated found && found.maxByteSize() > 0
                    ? found
                    : null;
            boolean isSound = allocated != null && elements >= 0
                    && elements <= allocated.byteSize() / elementByteSize;
            if (isSound || i == ATTEMPTS) {
                return allocated == null ? null : new Read(allocated, elements);
            }
        }
    }
}
