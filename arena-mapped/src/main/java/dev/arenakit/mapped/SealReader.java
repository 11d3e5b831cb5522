package dev.arenakit.mapped;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads the seals in a catalog. A seal of which a text is missing or damaged counts as none.
final class SealReader {
    private final CatalogReader catalog;
    /// The last texts of the latest seals that are complete, by the numbers of their allocations.
    private final Map<Long, Integer> lines = new HashMap<>();

    /// Reads the catalog once.
    SealReader(CatalogReader catalog) throws IOException {
        this.catalog = catalog;
        CatalogScan scan = CatalogScan.ofSeals(catalog);
        for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
            if (entry instanceof CatalogEntry.Text text && SealText.isLast(text.text())) {
                SealText last = text(text.line());
                if (last != null && texts(text.line()) != null) {
                    lines.put(last.number(), text.line());
                }
            }
        }
    }

    /// The latest seal of an allocation, or null if there is none.
    ///
    /// @param number the number of the allocation
    @Nullable
    Seal find(long number) throws IOException {
        SealText last = last(number);
        return last == null ? null : new Seal(Instant.ofEpochMilli(last.millis()), last.byteSize());
    }

    /// The checksums of the latest seal of an allocation, or null if there is none.
    @Nullable
    BlockSums sums(long number) throws IOException {
        Integer line = lines.get(number);
        Deque<Integer> texts = line == null ? null : texts(line);
        if (texts == null) {
            return null;
        }
        BlockSums sums = new BlockSums();
        for (int each : texts) {
            SealText text = text(each);
            if (text == null || !text.addTo(sums)) {
                return null;
            }
        }
        return sums;
    }

    private @Nullable SealText last(long number) throws IOException {
        Integer line = lines.get(number);
        return line == null ? null : text(line);
    }

    /// The lines of the texts of a seal in the order of their checksums, or null if one is missing.
    private @Nullable Deque<Integer> texts(int lastLine) throws IOException {
        Deque<Integer> texts = new ArrayDeque<>();
        SealText last = text(lastLine);
        int line = lastLine;
        for (SealText text = last; last != null && text != null && text.isOfSameSeal(last); text = text(line)) {
            texts.addFirst(line);
            if (text.previous() == 0) {
                return texts;
            }
            if (text.previous() < 0 || text.previous() >= line) {
                return null;
            }
            line = text.previous();
        }
        return null;
    }

    private @Nullable SealText text(int line) throws IOException {
        CatalogEntry.Text text = catalog.text(line);
        return text == null ? null : SealText.parse(text.text()).orElse(null);
    }
}
