package dev.arenakit.tool.where;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.StructForm;
import dev.arenakit.tool.image.StructRange;
import dev.arenakit.tool.image.StructSelection;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// Selects the structs that satisfy a predicate. An allocation without any has no heading.
public final class WhereSelection implements StructSelection {
    private final WhereTypes types;
    private final long skip;
    private final long limit;

    /// @param skip  the number of structs of each allocation that are skipped, of those that satisfy the predicate
    /// @param limit the largest number of structs of each allocation
    public WhereSelection(Streams streams, Where where, long skip, long limit) {
        types = new WhereTypes(streams, where);
        this.skip = skip;
        this.limit = limit;
    }

    @Override
    public void print(StructForm form, Allocation allocation, StructType type, ExtentSource source,
            StructRange range, boolean hasHeading) throws IOException {
        Optional<WhereFilter> filter = types.filter(allocation.label(), type);
        if (filter.isPresent() && limit > 0) {
            long[] found = {0};
            filter.get().search(source, range.first(), range.count(), (index, bytes) -> {
                if (found[0]++ < skip) {
                    return true;
                }
                if (hasHeading && found[0] == skip + 1) {
                    form.begin(allocation, type);
                }
                form.print(allocation, type, at(bytes), new StructRange(index, 1));
                return found[0] - skip < limit;
            });
        }
    }

    /// Checks at the end that there was a type to which the predicate applies.
    ///
    /// @throws WhereException if there was none
    public void check() throws WhereException {
        types.check();
    }

    /// A source that has one struct, at whatever offset it is requested.
    private static ExtentSource at(MemorySegment struct) {
        return (sink, skip, _) -> {
            sink.data(struct);
            return skip;
        };
    }
}
