package dev.arenakit.mapped.internal.image;

import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Allocated;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Text;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogScan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Finds names that several live allocations have.
final class DuplicateNames {
    /* A set of millions of names would take more memory than a reader may use. In the first pass, each name sets a bit
     * that its checksum determines. A name whose bit was set before may be a duplicate. All duplicates are among these
     * few suspects, and the second pass finds them. For that pass, only the bits of the suspects are set: looking a
     * name up in a set takes longer than reading it. */

    /// An image has at most one name for two lines, so that at most one bit in 16 is set.
    private static final long BITS_PER_LINE = 8;
    private static final long MOST_BITS = 1L << 30;
    private static final long LEAST_BITS = 1L << 10;

    private final BitSet seen = new BitSet();
    private final long mask;
    private final Set<Long> suspects = new HashSet<>();

    /// @param catalogByteSize the size of the catalog
    DuplicateNames(long catalogByteSize) {
        long bits = Math.clamp(catalogByteSize / CatalogFormat.LINE * BITS_PER_LINE, LEAST_BITS, MOST_BITS);
        mask = Long.highestOneBit(bits) - 1;
    }

    /// Adds the name of a live allocation.
    void add(Text name) {
        int bit = bit(name.checksum());
        if (seen.get(bit)) {
            suspects.add(name.checksum());
        }
        seen.set(bit);
    }

    private int bit(long checksum) {
        return (int) (checksum & mask);
    }

    /// Ends the first pass.
    private void endAdding() {
        seen.clear();
        suspects.forEach(checksum -> seen.set(bit(checksum)));
    }

    /// Whether an allocation is live and may have the name of another allocation.
    private boolean isSuspect(Allocated allocated) {
        long checksum = allocated.name().checksum();
        return seen.get(bit(checksum)) && allocated.isLive() && suspects.contains(checksum);
    }

    /// Finds the allocations whose names earlier allocations have, among the added allocations.
    ///
    /// @param scan a second pass over the catalog
    List<Allocated> find(CatalogScan scan) throws IOException {
        List<Allocated> duplicates = new ArrayList<>();
        if (suspects.isEmpty()) {
            return duplicates;
        }
        endAdding();
        Set<String> names = new HashSet<>();
        for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
            if (entry instanceof Allocated allocated && isSuspect(allocated)
                    && !names.add(allocated.name().text())) {
                duplicates.add(allocated);
            }
        }
        return duplicates;
    }

    /// Finds the allocations whose names later allocations have, among the added allocations.
    ///
    /// @param scan a second pass over the catalog
    List<Allocated> findEarlier(CatalogScan scan) throws IOException {
        List<Allocated> earlier = new ArrayList<>();
        endAdding();
        Map<String, Allocated> latest = new HashMap<>();
        for (CatalogEntry entry = scan.next(); !suspects.isEmpty() && entry != null; entry = scan.next()) {
            if (entry instanceof Allocated allocated && isSuspect(allocated)) {
                Allocated before = latest.put(allocated.name().text(), allocated);
                if (before != null) {
                    earlier.add(before);
                }
            }
        }
        return earlier;
    }
}
