package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.Seal;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads the seals in a catalog. The last text that completes a seal of an allocation counts. Other texts are skipped.
/// If another text of the seal is missing or damaged, or the seal is larger than the allocation, the allocation counts
/// as not sealed.
public final class SealReader {
    /* The reader knows the seals of a range of allocations at a time, so that its memory does not depend on the
     * catalog. The range begins at the requested allocation: allocations are mostly visited in the order of their
     * numbers. */

    private static final int INDEX_BITS = 20;
    private static final int LARGEST = 1 << INDEX_BITS;
    private static final int FIRST = 1 << 6;

    private final CatalogReader catalog;
    private final int largest;

    /// The range of allocations by their numbers, whose end is exclusive.
    private long from;
    private long to;
    /// The numbers of sealed allocations, each with an index into the lines.
    private long[] keys = new long[FIRST];
    /// The lines of the texts that complete their seals.
    private int[] lines = new int[FIRST];
    private int count;

    /// The number of the allocation whose seal was read last, and its seal if there is one.
    private long lastNumber = -1;
    private @Nullable SealText lastText;
    private BlockSums lastSums = new BlockSums();

    public SealReader(CatalogReader catalog) {
        this(catalog, LARGEST);
    }

    /// Makes a reader that knows a limited number of seals at a time.
    ///
    /// @param largest the number of seals that are known at a time, at most [#LARGEST]
    public SealReader(CatalogReader catalog, int largest) {
        this.catalog = catalog;
        this.largest = largest;
    }

    /// The latest seal of an allocation, or null if there is none.
    @Nullable
    public Seal find(Allocation allocation) throws IOException {
        SealText text = read(allocation);
        return text == null ? null : new Seal(Instant.ofEpochMilli(text.millis()), text.byteSize());
    }

    /// The checksums of the latest seal of an allocation, or null if there is none.
    @Nullable
    public BlockSums sums(Allocation allocation) throws IOException {
        return read(allocation) == null ? null : lastSums;
    }

    private @Nullable SealText read(Allocation allocation) throws IOException {
        long number = allocation.number();
        if (number < from || number >= to) {
            fill(number);
        }
        if (number != lastNumber) {
            lastNumber = -1;
            lastText = readText(number);
            lastNumber = number;
        }
        SealText text = lastText;
        return text == null || text.byteSize() > allocation.byteSize() ? null : text;
    }

    private @Nullable SealText readText(long number) throws IOException {
        int at = Arrays.binarySearch(keys, 0, count, number << INDEX_BITS);
        at = at < 0 ? -(at + 1) : at;
        if (at == count || number(at) != number) {
            return null;
        }
        int line = lines[index(at)];
        SealText last = text(line);
        lastSums = new BlockSums();
        return last != null && addSums(line, last) ? last : null;
    }

    /// Reads the catalog once, for the seals of the allocations from a number on.
    private void fill(long number) throws IOException {
        to = from;
        count = 0;
        CatalogScan scan = CatalogScan.ofSeals(catalog);
        from = number;
        to = Long.MAX_VALUE;
        try {
            for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
                if (entry instanceof CatalogEntry.Text text && SealText.isLast(text.text())) {
                    SealText seal = SealText.parse(text.text()).orElse(null);
                    if (seal != null && seal.number() >= from && seal.number() < to) {
                        add(seal.number(), text.line());
                    }
                }
            }
            compact();
        } catch (Throwable t) {
            to = from;
            throw t;
        }
    }

    private void add(long number, int line) {
        if (count == largest) {
            compact();
            if (count > largest / 2) {
                count = largest / 2;
                to = number(count);
            }
        } else if (count == keys.length) {
            keys = Arrays.copyOf(keys, Math.min(count * 2, largest));
            lines = Arrays.copyOf(lines, keys.length);
        }
        if (number < to) {
            keys[count] = number << INDEX_BITS | count;
            lines[count] = line;
            count++;
        }
    }

    /// Sorts the allocations by their numbers, and keeps the last line of each.
    private void compact() {
        Arrays.sort(keys, 0, count);
        int[] sorted = new int[lines.length];
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (i + 1 == count || number(i) != number(i + 1)) {
                sorted[kept] = lines[index(i)];
                keys[kept] = number(i) << INDEX_BITS | kept;
                kept++;
            }
        }
        lines = sorted;
        count = kept;
    }

    private long number(int at) {
        return keys[at] >>> INDEX_BITS;
    }

    private int index(int at) {
        return (int) keys[at] & (LARGEST - 1);
    }

    /// Adds the checksums of a seal in their order.
    ///
    /// @return false if a text is missing or damaged
    private boolean addSums(int lastLine, SealText last) throws IOException {
        int[] texts = {lastLine};
        int size = 1;
        for (SealText text = last; text.previous() > 0; size++) {
            int line = text.previous();
            text = line < texts[size - 1] ? text(line) : null;
            if (text == null || text.isLast() || !text.isOfSameSeal(last)) {
                return false;
            }
            texts = size == texts.length ? Arrays.copyOf(texts, size * 2) : texts;
            texts[size] = line;
        }
        for (int i = size - 1; i >= 0; i--) {
            SealText text = i == 0 ? last : text(texts[i]);
            if (text == null || !text.addTo(lastSums)) {
                return false;
            }
        }
        return true;
    }

    private @Nullable SealText text(int line) throws IOException {
        CatalogEntry.Text text = catalog.text(line);
        return text == null ? null : SealText.parse(text.text()).orElse(null);
    }
}
