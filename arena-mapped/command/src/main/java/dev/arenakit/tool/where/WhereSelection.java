package dev.arenakit.tool.where;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.StructRange;
import dev.arenakit.tool.structs.StructForm;
import dev.arenakit.tool.structs.StructSelection;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// Selects the structs that satisfy a predicate. An allocation without such structs has no heading.
public final class WhereSelection implements StructSelection {
    private final WhereFilters types;
    private final long skip;
    private final long limit;

    /// @param skip  the number of matching structs of each allocation that are skipped
    /// @param limit the largest number of structs of each allocation
    public WhereSelection(Streams streams, Where where, long skip, long limit) {
        types = new WhereFilters(streams, where);
        this.skip = skip;
        this.limit = limit;
    }

    @Override
    public void print(StructForm form, AllocationStructs structs, ExtentSource source, StructRange range,
            boolean hasHeading) throws IOException {
        Optional<WhereFilter> filter = types.filter(structs);
        long byteSize = structs.type().byteSize();
        if (filter.isPresent() && limit > 0) {
            long[] found = {0};
            StructRange within = structs.within(range);
            filter.get().search(source, within.first(), within.count(), (index, count, bytes) -> {
                long before = Math.max(0, found[0] - skip);
                long skipped = Math.clamp(skip - found[0], 0, count);
                long shown = Math.min(count - skipped, limit - before);
                found[0] += count;
                if (shown > 0) {
                    if (hasHeading && before == 0) {
                        form.begin(structs);
                    }
                    MemorySegment matching = bytes.asSlice(skipped * byteSize, shown * byteSize);
                    form.print(structs, at(matching), new StructRange(index + skipped, shown));
                }
                return found[0] - skip < limit;
            });
        }
    }

    /// Ends a search, as [WhereFilters#finish] does.
    ///
    /// @param isComplete whether everything was read
    /// @throws WhereException if everything was read and the predicate applied to no type
    public void finish(boolean isComplete) throws WhereException {
        types.finish(isComplete);
    }

    /// A source that returns these structs for any requested offset.
    private static ExtentSource at(MemorySegment structs) {
        return (sink, skip, _) -> {
            sink.data(structs);
            return skip;
        };
    }
}
