package dev.arenakit.tool.find;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.image.StructRange;
import dev.arenakit.tool.where.WhereFilter;
import dev.arenakit.tool.where.WhereFilters;
import java.io.IOException;
import java.util.Optional;

/// Searches for structs that satisfy a predicate.
record FindStructs(WhereFilters types, FindReport report) implements FindSearch {
    @Override
    public boolean acceptsBytes() {
        return false;
    }

    @Override
    public void search(Allocation allocation, Optional<StructType> type, ExtentSource source, StructRange range)
            throws IOException {
        Optional<WhereFilter> filter = types.filter(allocation.label(), type.orElseThrow());
        if (filter.isPresent() && report.isWanted()) {
            filter.get()
                    .search(source, range.first(), range.count(),
                            (index, count, _) -> report(allocation, index, count));
        }
    }

    private boolean report(Allocation allocation, long first, long count) throws IOException {
        for (long index = first; index < first + count; index++) {
            if (!report.struct(allocation, index)) {
                return false;
            }
        }
        return true;
    }
}
