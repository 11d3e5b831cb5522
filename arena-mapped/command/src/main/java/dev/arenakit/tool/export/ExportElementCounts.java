package dev.arenakit.tool.export;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.image.FileTruncation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Counts the elements of allocations that a data file really contains, for forms that must not refer to bytes beyond
/// the end of the file. Allocations that have lost bytes are reported.
final class ExportElementCounts {
    private final ExportRequest export;
    private final Path file;
    private final long fileByteSize;
    private boolean failed;

    ExportElementCounts(ExportRequest export) throws IOException {
        this.export = export;
        file = export.image().file(export.dataFile());
        fileByteSize = Files.size(file);
    }

    /// The number of structs, or the number of bytes if there is no type.
    long count(Allocation allocation, Optional<StructType> type) {
        long byteSize = allocation.partByteSize() == 0 ? allocation.byteSize() : allocation.partByteSize();
        if (byteSize < allocation.byteSize()) {
            export.report(allocation, "its first " + byteSize + " bytes are exported, which are in data file "
                    + allocation.file());
        }
        FileTruncation.message(file, allocation.byteOffset(), byteSize, fileByteSize)
                .ifPresent(message -> {
                    failed = true;
                    export.report(allocation, message);
                });
        long each = type.map(StructType::byteSize).orElse(1L);
        long remaining = FileTruncation.remaining(allocation.byteOffset(), byteSize, fileByteSize);
        return each == 0 ? 1 : remaining / each;
    }

    /// Whether an allocation has lost bytes.
    boolean hasFailed() {
        return failed;
    }
}
