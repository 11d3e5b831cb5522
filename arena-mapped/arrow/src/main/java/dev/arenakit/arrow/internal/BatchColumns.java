package dev.arenakit.arrow.internal;

import dev.arenakit.dump.FieldLocation;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// The columns of a batch, to which rows are copied.
public final class BatchColumns {
    /// The number of bytes of structs that are copied column by column: they stay in a processor's smallest cache.
    private static final long BLOCK_BYTES = 1L << 14;

    private final StructType type;
    private final ArrowFields found;
    private final int blockRows;
    private final ColumnBuffer[] columns;
    private final long[] byteOffsets;

    /// @param memory allocates the memory of the columns
    public BatchColumns(StructType type, ArrowFields found, SegmentAllocator memory) {
        this.type = type;
        this.found = found;
        blockRows = Math.clamp(BLOCK_BYTES / type.byteSize(), 1, Integer.MAX_VALUE);
        byteOffsets = found.byteOffsets();
        columns = found.fields().stream().map(field -> ColumnBuffer.of(field, memory)).toArray(ColumnBuffer[]::new);
    }

    /// Begins a batch.
    public void begin() {
        for (ColumnBuffer column : columns) {
            column.begin();
        }
    }

    /// Reserves memory for a number of rows, so that it need not grow.
    public void reserve(long rows) {
        for (ColumnBuffer column : columns) {
            column.reserve(rows);
        }
    }

    /// Finds the texts of the dictionaries.
    void addTexts(MemorySegment rows) {
        long count = rowsIn(type, rows);
        for (int i = 0; i < columns.length; i++) {
            if (found.fields().get(i).hasTextDictionary()) {
                for (long row = 0; row < count; row += blockRows) {
                    columns[i].begin();
                    copy(i, rows, row, (int) Math.min(blockRows, count - row), 0, 0);
                }
            }
        }
    }

    /// Copies rows to consecutive indices of the batch.
    ///
    /// @param row    the index of the first row in the segment
    /// @param index  the index of the first row in the batch
    /// @param before the number of rows of earlier segments, for the exception
    /// @throws IllegalArgumentException if a value cannot be converted
    public void write(MemorySegment rows, long row, long count, long index, long before) {
        for (long copied = 0; copied < count; copied += blockRows) {
            int some = (int) Math.min(blockRows, count - copied);
            for (int i = 0; i < columns.length; i++) {
                copy(i, rows, row + copied, some, index + copied, before);
            }
        }
    }

    private void copy(int column, MemorySegment rows, long row, int count, long index, long before) {
        long struct = row * type.byteSize();
        try {
            columns[column].write(rows, struct + byteOffsets[column], type.byteSize(), count, index, struct,
                    type.byteSize());
        } catch (ConversionFailure e) {
            long failed = e.byteOffset / type.byteSize();
            // The path begins with the index in brackets, and a dot.
            String path = FieldLocation.of(type, e.byteOffset).path();
            throw new IllegalArgumentException("Value cannot be converted: row=" + (before + failed) + ", field="
                    + path.substring(path.indexOf('.') + 1) + ", reason=" + e.getMessage(), e);
        }
    }

    /// Adds the columns to a batch.
    public void collect(long rows, BatchBuffers to) {
        for (ColumnBuffer column : columns) {
            column.collect(rows, to);
        }
    }

    /// Returns the number of rows in a segment.
    ///
    /// @throws IllegalArgumentException if the segment has incomplete rows
    public static long rowsIn(StructType type, MemorySegment rows) {
        if (rows.byteSize() % type.byteSize() != 0) {
            throw new IllegalArgumentException("Segment does not consist of whole structs: segment.byteSize="
                    + rows.byteSize() + ", struct.byteSize=" + type.byteSize());
        }
        return rows.byteSize() / type.byteSize();
    }
}
