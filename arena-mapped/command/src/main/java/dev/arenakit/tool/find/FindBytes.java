package dev.arenakit.tool.find;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.image.StructRange;
import java.io.IOException;
import java.util.Optional;

/// Searches for bytes.
record FindBytes(BytePattern pattern, FindReport report) implements FindSearch {
    @Override
    public boolean acceptsBytes() {
        return true;
    }

    @Override
    public void search(Allocation allocation, Optional<StructType> type, ExtentSource source, StructRange range)
            throws IOException {
        long struct = type.map(StructType::byteSize).orElse(1L);
        boolean isWhole = range.equals(StructRange.ALL) || struct == 0;
        long from = isWhole ? 0 : range.first() * struct;
        long byteSize = isWhole || range.count() > Long.MAX_VALUE / struct
                ? Long.MAX_VALUE
                : range.count() * struct;
        if (!report.isWanted()) {
            return;
        }
        ByteScan.search(source, pattern, from, byteSize, at -> report.bytes(allocation, type, at));
    }
}
