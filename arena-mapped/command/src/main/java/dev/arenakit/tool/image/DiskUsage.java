package dev.arenakit.tool.image;

import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.tool.console.ByteSizes;
import java.io.IOException;
import java.util.OptionalLong;

/// The sizes of files, or of allocations in them.
///
/// @param byteSize       the size, holes included
/// @param storedByteSize for files, the size on disk, which the file system has allocated for them; for an allocation,
///                       the number of written bytes; empty if unknown
/// @param extents        the number of extents of data between the holes; empty if unknown
public record DiskUsage(long byteSize, OptionalLong storedByteSize, OptionalLong extents) {
    /// The usage of no file.
    public static final DiskUsage NONE = new DiskUsage(0, OptionalLong.of(0), OptionalLong.of(0));

    /// The usage of a file. `storedByteSize` is the size that the file system has allocated.
    static DiskUsage of(SparseFile file) throws IOException {
        return new DiskUsage(file.byteSize(), file.storedByteSize(), file.extentCount());
    }

    /// Returns the sum of this usage and another.
    public DiskUsage plus(DiskUsage other) {
        return new DiskUsage(ByteSizes.sum(byteSize, other.byteSize),
                ByteSizes.sum(storedByteSize, other.storedByteSize), ByteSizes.sum(extents, other.extents));
    }
}
