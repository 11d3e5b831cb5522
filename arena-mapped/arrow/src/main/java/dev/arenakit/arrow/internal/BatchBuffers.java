package dev.arenakit.arrow.internal;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The columns of one batch as messages contain them: a node with two counts for each column, and the buffers.
public final class BatchBuffers {
    private long[] lengths = new long[16];
    private long[] nullCounts = new long[16];
    private int nodeCount;
    private final List<MemorySegment> buffers = new ArrayList<>();

    void clear() {
        nodeCount = 0;
        buffers.clear();
    }

    public void addNode(long length, long nullCount) {
        if (nodeCount == lengths.length) {
            lengths = Arrays.copyOf(lengths, 2 * nodeCount);
            nullCounts = Arrays.copyOf(nullCounts, 2 * nodeCount);
        }
        lengths[nodeCount] = length;
        nullCounts[nodeCount++] = nullCount;
    }

    public void addBuffer(MemorySegment buffer, long byteSize) {
        buffers.add(buffer.asSlice(0, byteSize));
    }

    public int nodeCount() {
        return nodeCount;
    }

    public long length(int node) {
        return lengths[node];
    }

    public long nullCount(int node) {
        return nullCounts[node];
    }

    public List<MemorySegment> buffers() {
        return buffers;
    }

    /// The number of bytes of all buffers, with what pads them.
    long byteSize() {
        long byteSize = 0;
        for (MemorySegment buffer : buffers) {
            byteSize += padded(buffer.byteSize());
        }
        return byteSize;
    }

    static long padded(long byteSize) {
        return (byteSize + GrowingSegment.BYTE_ALIGNMENT - 1) & -GrowingSegment.BYTE_ALIGNMENT;
    }
}
