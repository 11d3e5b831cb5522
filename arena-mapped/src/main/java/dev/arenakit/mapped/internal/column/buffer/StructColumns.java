package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// The columns of a batch, to which structs are copied. Not thread-safe.
public final class StructColumns {
    /// The number of bytes of structs that are copied column by column: they stay in a processor's smallest cache.
    private static final long BLOCK_BYTES = 1L << 14;

    private final int blockRows;
    private final long[] byteOffsets;
    private final ColumnBuffer[] buffers;

    /// @param structByteSize the number of bytes of a struct, at least 1
    /// @param memory         allocates the memory of the columns
    public StructColumns(List<ColumnType.Column> columns, long structByteSize, SegmentAllocator memory) {
        blockRows = Math.clamp(BLOCK_BYTES / structByteSize, 1, Integer.MAX_VALUE);
        byteOffsets = columns.stream().mapToLong(ColumnType.Column::byteOffset).toArray();
        buffers = columns.stream().map(column -> ColumnBuffer.of(column.type(), memory)).toArray(ColumnBuffer[]::new);
    }

    /// Begins a batch.
    public void begin() {
        for (ColumnBuffer buffer : buffers) {
            buffer.begin();
        }
    }

    /// Reserves memory for a number of rows, so that it need not grow.
    public void reserve(long rows) {
        for (ColumnBuffer buffer : buffers) {
            buffer.reserve(rows);
        }
    }

    /// Copies structs to consecutive rows of the batch.
    ///
    /// @param at     the offset of the first struct in the segment
    /// @param stride the number of bytes from a struct to the next one
    /// @param row    the index of the first row in the batch
    /// @throws ConversionFailure        if a value has no equivalent in its column
    /// @throws IllegalArgumentException if the batch has too many elements, or too long texts
    public void write(MemorySegment from, long at, long stride, long count, long row) {
        // After the first column was copied, the structs of the block are in the cache.
        for (long copied = 0; copied < count; copied += blockRows) {
            int some = (int) Math.min(blockRows, count - copied);
            long struct = at + copied * stride;
            for (int i = 0; i < buffers.length; i++) {
                buffers[i].write(from, struct + byteOffsets[i], stride, some, row + copied, struct, stride);
            }
        }
    }

    public ColumnBuffer buffer(int column) {
        return buffers[column];
    }
}
