package dev.arenakit.mapped.internal.image;

import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.internal.catalog.CatalogEntry;

/// The information that the entries of a damaged catalog contain about a data file.
final class RepairedFile {
    private boolean isRecorded;
    private boolean hasRun;
    private int allocations;
    private long byteSize;
    private long end;

    /// Adds the record of the file.
    void record(long recordedByteSize) {
        isRecorded = true;
        byteSize = Math.max(byteSize, recordedByteSize);
    }

    void add(CatalogEntry.Run run) {
        hasRun = true;
        byteSize = Math.max(byteSize, run.end());
    }

    /// Adds an allocation, or a part of one.
    void add(AllocationPart part) {
        allocations++;
        end = Math.max(end, part.byteOffset() + part.byteSize());
        byteSize = Math.max(byteSize, end);
    }

    boolean isRecorded() {
        return isRecorded;
    }

    /// Whether the file is a chunk.
    boolean isShared() {
        return hasRun || allocations > 1;
    }

    int allocations() {
        return allocations;
    }

    /// The least size of the file.
    long byteSize() {
        return byteSize;
    }

    /// The end of its last allocation.
    long end() {
        return end;
    }
}
