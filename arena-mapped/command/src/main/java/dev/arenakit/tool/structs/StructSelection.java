package dev.arenakit.tool.structs;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.StructRange;
import java.io.IOException;

/// Selects the structs of an allocation that are printed.
@FunctionalInterface
public interface StructSelection {
    /// Prints the structs that are selected.
    ///
    /// @param range      the structs to select from
    /// @param hasHeading whether a heading precedes them
    void print(StructForm form, AllocationStructs structs, ExtentSource source, StructRange range, boolean hasHeading)
            throws IOException;

    /// Selects all structs of a range after the first ones, up to a limit.
    static StructSelection of(long skip, long limit) {
        return (form, structs, source, range, hasHeading) -> {
            if (hasHeading) {
                form.begin(structs);
            }
            long count = structs.within(range).count();
            long skipped = Math.min(skip, count);
            long shown = Math.min(limit, count - skipped);
            if (shown > 0) {
                form.print(structs, source, new StructRange(range.first() + skipped, shown));
            }
            form.leaveOut(structs, count - skipped - shown, count);
        };
    }
}
