package dev.arenakit.tool;

import dev.arenakit.layout.StructType;
import dev.arenakit.mapped.Allocation;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;

/// Where a data file ends, for forms that must not lead behind it. Allocations that it has lost bytes of are reported.
final class DataFileEnd {
    private final Export export;
    private final long byteSize;
    private boolean failed;

    DataFileEnd(Export export) throws IOException {
        this.export = export;
        byteSize = Files.size(export.image().file(export.dataFile()));
    }

    /// How many structs, or bytes, of an allocation are there.
    long count(Allocation allocation, Optional<StructType> type) {
        long left = Math.clamp(byteSize - allocation.byteOffset(), 0, allocation.byteSize());
        if (left < allocation.byteSize()) {
            failed = true;
            export.complain(allocation, "the data file is truncated: of " + allocation.byteSize() + " bytes there are "
                    + left);
        }
        long each = type.map(StructType::byteSize).orElse(1L);
        return each == 0 ? 1 : left / each;
    }

    /// Whether there are bytes lost.
    boolean hasFailed() {
        return failed;
    }
}
