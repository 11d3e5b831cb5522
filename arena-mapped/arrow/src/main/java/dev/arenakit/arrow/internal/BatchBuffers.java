package dev.arenakit.arrow.internal;

import dev.arenakit.mapped.internal.column.buffer.ColumnBuffer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// The columns of one batch as messages contain them: a node with two counts for each column, and the buffers.
final class BatchBuffers {
    /// The alignment that the format recommends.
    static final long BYTE_ALIGNMENT = 64;

    private final List<Node> nodes = new ArrayList<>();
    private final List<MemorySegment> buffers = new ArrayList<>();

    record Node(long length, long nullCount) {}

    void clear() {
        nodes.clear();
        buffers.clear();
    }

    /// Adds a column, and the columns within it.
    void add(ColumnBuffer column, long length) {
        add(length, column.nullCount(length), column.buffers(length));
        for (int i = 0; i < column.childCount(); i++) {
            add(column.child(i), column.childLength(length));
        }
    }

    void add(long length, long nullCount, List<MemorySegment> added) {
        nodes.add(new Node(length, nullCount));
        buffers.addAll(added);
    }

    List<Node> nodes() {
        return nodes;
    }

    List<MemorySegment> buffers() {
        return buffers;
    }

    /// The number of bytes of all buffers, with what pads them.
    long byteSize() {
        return buffers.stream().mapToLong(buffer -> padded(buffer.byteSize())).sum();
    }

    static long padded(long byteSize) {
        return (byteSize + BYTE_ALIGNMENT - 1) & -BYTE_ALIGNMENT;
    }
}
