package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.mapped.OwnerRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Reads the owners of an image from its catalog.
public final class CatalogOwners {
    private CatalogOwners() {}

    /// The processes that have owned the image, in the order in which they opened it.
    ///
    /// @throws IOException if the catalog cannot be read
    public static List<OwnerRecord> read(CatalogReader catalog) throws IOException {
        List<OwnerRecord> owners = new ArrayList<>();
        CatalogScan scan = CatalogScan.ofOwners(catalog);
        for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
            if (entry instanceof CatalogEntry.Opened(long pid, long started, long opened, String jvm, int state)) {
                owners.add(new OwnerRecord(pid, CatalogFormat.instant(started), CatalogFormat.instant(opened), jvm,
                        state == CatalogFormat.STATE_ENDED));
            }
        }
        return owners;
    }
}
