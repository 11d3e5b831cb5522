package dev.arenakit.mapped.internal.image;

import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Allocated;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogScan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds names that several live allocations have.
final class DuplicateNames {
    /* A set of millions of names would take more memory than a reader may use. In the first pass, each name sets some
     * bits that its checksum determines (a blocked Bloom filter). A name whose bits were all set before may be a
     * duplicate. The second pass, which only images with such suspects need, finds the duplicates among them. */

    /// With 64 bits for a name, fewer than one of a million names that occur once is a suspect. An image has at most one
    /// name for two lines.
    private static final long BITS_PER_LINE = 32;
    /// The bits of a name are in one block, which is a line of the processor's cache.
    private static final int BLOCK_WORDS = 8;
    private static final int BITS_PER_NAME = 7;
    private static final int BIT_INDEX_BITS = 9;
    private static final int WORD_SHIFT = 6;
    private static final int PAGE_WORDS = 1 << 10;
    private static final long MOST_WORDS = 1L << 24;
    private static final long MULTIPLIER = 0x9e37_79b9_7f4a_7c15L;

    /// The words of the bits. Pages without a bit are null: most lines of a damaged catalog may be empty.
    private final long[] @Nullable [] pages;
    private final Set<Long> suspects = new HashSet<>();

    /// @param catalogByteSize the size of the catalog
    DuplicateNames(long catalogByteSize) {
        long words = Math.clamp(catalogByteSize / CatalogFormat.LINE * BITS_PER_LINE / Long.SIZE, PAGE_WORDS,
                MOST_WORDS);
        pages = new long[(int) Math.ceilDiv(words, PAGE_WORDS)][];
    }

    /// Adds the name of a live allocation.
    ///
    /// @param checksum the checksum of the name
    void add(long checksum) {
        // The upper bits of the checksum determine the block: on its lower bits, all of the bits below depend.
        long blocks = (long) pages.length * (PAGE_WORDS / BLOCK_WORDS);
        int block = (int) Math.unsignedMultiplyHigh(checksum, blocks) * BLOCK_WORDS;
        long[] page = pages[block / PAGE_WORDS];
        if (page == null) {
            page = new long[PAGE_WORDS];
            pages[block / PAGE_WORDS] = page;
        }
        int start = block % PAGE_WORDS;
        boolean isSuspect = true;
        long bits = checksum * MULTIPLIER;
        for (int i = 0; i < BITS_PER_NAME; i++, bits >>>= BIT_INDEX_BITS) {
            int word = start + (int) ((bits >>> WORD_SHIFT) & (BLOCK_WORDS - 1));
            long bit = 1L << bits;
            isSuspect &= (page[word] & bit) != 0;
            page[word] |= bit;
        }
        if (isSuspect) {
            suspects.add(checksum);
        }
    }

    /// Two live allocations that have the same name, and between which no other one has it.
    record Duplicate(Allocated earlier, Allocated later) {}

    /// Finds the duplicates among the added allocations.
    ///
    /// @param catalog is read a second time if there may be duplicates
    List<Duplicate> find(CatalogReader catalog) throws IOException {
        List<Duplicate> duplicates = new ArrayList<>();
        if (suspects.isEmpty()) {
            return duplicates;
        }
        CatalogScan scan = CatalogScan.of(catalog);
        Map<String, Allocated> latest = new HashMap<>();
        for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
            if (entry instanceof Allocated later && later.isLive() && suspects.contains(later.name().checksum())) {
                Allocated earlier = latest.put(later.name().text(), later);
                if (earlier != null) {
                    duplicates.add(new Duplicate(earlier, later));
                }
            }
        }
        return duplicates;
    }
}
