package dev.arenakit.tool;

import dev.arenakit.mapped.SparseFile;
import java.io.IOException;
import java.util.OptionalLong;

/// What files, or parts of them, take on disk.
///
/// @param byteSize       how far they reach, holes included
/// @param storedByteSize what the file system has set aside, empty where it does not tell
/// @param extents        the number of stretches of data between the holes, empty where it does not tell
record DiskUse(long byteSize, OptionalLong storedByteSize, OptionalLong extents) {
    /// Of no file.
    static final DiskUse NONE = new DiskUse(0, OptionalLong.of(0), OptionalLong.of(0));

    /// Of a file.
    static DiskUse of(SparseFile file) throws IOException {
        return new DiskUse(file.byteSize(), file.storedByteSize(), file.extentCount());
    }

    /// Of these and others together.
    DiskUse plus(DiskUse other) {
        return new DiskUse(ByteSizes.sum(byteSize, other.byteSize),
                ByteSizes.sum(storedByteSize, other.storedByteSize), ByteSizes.sum(extents, other.extents));
    }
}
