package dev.arenakit.mapped;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/// One allocation of an image, as its catalog records it.
///
/// @param index         its place among the [allocations][ArenaImage#allocations()] of the image, from 0
/// @param name          the name it was made with, or empty
/// @param typeText      what stands in it, as text of [dev.arenakit.layout.LayoutText], or empty; [ArenaImage#type] parses it
/// @param file          number of the data file, `base-0` and so on; -1 for an allocation of size 0, which has none
/// @param byteOffset    where it begins in the file
/// @param byteSize      its size in bytes
/// @param byteAlignment the alignment of its address that was asked for
/// @param isLive        whether it has not been [freed][InfiniteArena#free(String)]
/// @param time          when it was made, empty where the catalog records sizes alone
/// @param thread        id of the Java thread that made it, empty where the catalog records sizes alone
public record Allocation(long index, Optional<String> name, Optional<String> typeText, int file, long byteOffset,
        long byteSize, long byteAlignment, boolean isLive, Optional<Instant> time, OptionalLong thread) {
    /// The name, or `#7` for the allocation of index 7 that has none: no name begins with `#`.
    ///
    /// @return what [ArenaImage#find(String)] finds it by
    public String label() {
        return name.orElseGet(() -> "#" + index);
    }
}
