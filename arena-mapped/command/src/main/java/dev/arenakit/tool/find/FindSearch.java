package dev.arenakit.tool.find;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.image.StructRange;
import java.io.IOException;
import java.util.Optional;

/// A search in an allocation.
interface FindSearch {
    /// Whether allocations whose type is not recorded can be searched.
    boolean acceptsBytes();

    /// Searches an allocation, and reports the results. If the report wants no further results, only the type is
    /// checked.
    ///
    /// @param type  the type of the structs; always present unless [#acceptsBytes] is true
    /// @param range the structs to search; all bytes if there is no type
    void search(Allocation allocation, Optional<StructType> type, ExtentSource source, StructRange range)
            throws IOException;
}
