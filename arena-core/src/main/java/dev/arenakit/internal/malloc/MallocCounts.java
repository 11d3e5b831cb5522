package dev.arenakit.internal.malloc;

import dev.arenakit.MallocArenaStatistics;

/// Adds up blocks for statistics.
final class MallocCounts {
    private long blocks;
    private long byteSize;
    private long nativeByteSize;

    /// Adds a block.
    void add(long byteSize, long nativeByteSize) {
        blocks++;
        this.byteSize += byteSize;
        this.nativeByteSize += nativeByteSize;
    }

    /// Adds a block by its [encoded][MallocHeader] size and alignment.
    void add(long sizeAndAlignment) {
        add(MallocHeader.byteSize(sizeAndAlignment), MallocHeader.requestedByteSize(sizeAndAlignment));
    }

    /// Adds memory that is no block.
    void addIndex(long byteSize) {
        nativeByteSize += byteSize;
    }

    /// @param name the name of the arena
    MallocArenaStatistics statistics(String name) {
        return new MallocArenaStatistics(name, blocks, byteSize, nativeByteSize);
    }
}
