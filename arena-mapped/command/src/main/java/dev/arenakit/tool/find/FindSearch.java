package dev.arenakit.tool.find;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.StructRange;
import dev.arenakit.tool.where.WhereFilter;
import dev.arenakit.tool.where.WhereFilters;
import java.io.IOException;
import java.util.Optional;

/// A search in an allocation.
interface FindSearch {
    /// Whether allocations whose type is not recorded can be searched.
    boolean acceptsBytes();

    /// Searches an allocation, and reports the results. If the report wants no further results, only the type is
    /// checked.
    ///
    /// @param structs the structs; always present unless [#acceptsBytes] is true
    /// @param source  the bytes of the structs
    /// @param range   the structs to search; all bytes if there is no type
    void search(Allocation allocation, Optional<AllocationStructs> structs, ExtentSource source, StructRange range)
            throws IOException;

    /// Searches for bytes.
    record Bytes(BytePattern pattern, FindReport report) implements FindSearch {
        @Override
        public boolean acceptsBytes() {
            return true;
        }

        @Override
        public void search(Allocation allocation, Optional<AllocationStructs> structs, ExtentSource source,
                StructRange range) throws IOException {
            Optional<StructType> type = structs.map(AllocationStructs::type);
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

    /// Searches for structs that satisfy a predicate.
    record Structs(WhereFilters types, FindReport report) implements FindSearch {
        @Override
        public boolean acceptsBytes() {
            return false;
        }

        @Override
        public void search(Allocation allocation, Optional<AllocationStructs> structs, ExtentSource source,
                StructRange range) throws IOException {
            Optional<WhereFilter> filter = types.filter(structs.orElseThrow());
            if (filter.isPresent() && report.isWanted()) {
                StructRange within = structs.orElseThrow().within(range);
                filter.get()
                        .search(source, within.first(), within.count(),
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
}
