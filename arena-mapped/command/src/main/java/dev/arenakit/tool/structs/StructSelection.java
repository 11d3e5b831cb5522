package dev.arenakit.tool.structs;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.image.StructRange;
import java.io.IOException;

/// Selects the structs of an allocation that are printed.
@FunctionalInterface
public interface StructSelection {
    /// Prints the structs that are selected.
    ///
    /// @param range      the structs to select from
    /// @param hasHeading whether a heading precedes them
    void print(StructForm form, Allocation allocation, StructType type, ExtentSource source, StructRange range,
            boolean hasHeading) throws IOException;

    /// Selects all structs of a range after the first ones, up to a limit.
    static StructSelection of(long skip, long limit) {
        return (form, allocation, type, source, range, hasHeading) -> {
            if (hasHeading) {
                form.begin(allocation, type);
            }
            long count = range.within(allocation, type).count();
            long skipped = Math.min(skip, count);
            long shown = Math.min(limit, count - skipped);
            if (shown > 0) {
                form.print(allocation, type, source, new StructRange(range.first() + skipped, shown));
            }
            form.leaveOut(count - skipped - shown, count);
        };
    }
}
