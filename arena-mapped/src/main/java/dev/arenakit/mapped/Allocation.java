package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.files.AllocationParts;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// An allocation of an image, as the catalog records it.
///
/// @param number        the number of its record in the image, which never changes; numbers are not consecutive
/// @param name          the name, or empty if it was allocated without one
/// @param typeText      the type of its structs as text of [dev.arenakit.layout.text.LayoutText], or empty;
///                      [ArenaImage#type] parses it
/// @param file          the number of the data file, `base-0` and so on, or -1 for an allocation of size 0 that has
///                      no data file; the number of the first file if there are several
/// @param byteOffset    the offset in the data file
/// @param byteSize      the size in bytes
/// @param partByteSize  the size of its part in each data file except for the last one, or 0 if it is in one file; an
///                      allocation that is larger than the files that the file system allows has several
/// @param byteAlignment the requested alignment of the address in bytes
/// @param isLive        whether it has not been freed, by [its name][ArenaNames#free(String)] or
///                      [its segment][InfiniteArena#free(java.lang.foreign.MemorySegment)]
/// @param time          the time of the allocation, or empty if the catalog records only sizes
/// @param thread        the id of the Java thread that allocated, or empty if the catalog records only sizes
/// @param elementCount  the [number of elements][GrowableSegment#elementCount()] that was stored, or empty if none was
///                      stored or it is damaged; all elements are in the files
/// @param storedCount   the number of elements that was stored last, or empty if none was stored or it is damaged. It is
///                      larger than `elementCount` if the machine failed, or the image was moved, before the elements
///                      were [forced][InfiniteArena#force()]: after a move, all stored elements are in the files
public record Allocation(long number, Optional<String> name, Optional<String> typeText, int file, long byteOffset,
        long byteSize, long partByteSize, long byteAlignment, boolean isLive, Optional<Instant> time,
        OptionalLong thread, OptionalLong elementCount, OptionalLong storedCount) {
    /// Returns the ranges of data files that contain the allocation: one, several in consecutive files if it is larger
    /// than the files that the file system allows, or none if its size is 0.
    ///
    /// @return the ranges, in the order of the bytes of the allocation
    public List<AllocationPart> parts() {
        return AllocationParts.list(file, byteOffset, byteSize, partByteSize);
    }

    /// Returns the name, or `#27` for an allocation without a name that has the number 27. No name begins with `#`.
    ///
    /// @return the label with which [ArenaImage#find(String)] finds this allocation
    public String label() {
        return name.orElseGet(() -> "#" + number);
    }
}
