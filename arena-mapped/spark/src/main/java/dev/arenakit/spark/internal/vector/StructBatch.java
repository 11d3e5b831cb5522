package dev.arenakit.spark.internal.vector;

import dev.arenakit.mapped.internal.column.ConversionFailure;
import java.lang.foreign.MemorySegment;

/// The structs of a batch: their bytes, and the indices that they have in the allocation. The vectors of all columns
/// read them in place. A reader uses the memory again for the next batch, as other sources of Spark do.
public final class StructBatch {
    /// The number of bytes that are read at a time, unless a struct is larger.
    private static final int BYTES = 1 << 17;
    private static final int MOST_ROWS = 1 << 13;

    private final String table;
    private final byte[] bytes;
    private final MemorySegment segment;
    private final int[] positions;
    private final long[] rowIds;
    private int count;

    /// @param table the allocation and its image, for messages
    public StructBatch(String table, long structByteSize) {
        this.table = table;
        int rows = Math.toIntExact(Math.clamp(BYTES / structByteSize, 1, MOST_ROWS));
        bytes = new byte[Math.toIntExact(rows * structByteSize)];
        segment = MemorySegment.ofArray(bytes);
        positions = new int[rows];
        rowIds = new long[rows];
    }

    public byte[] bytes() {
        return bytes;
    }

    public MemorySegment segment() {
        return segment;
    }

    /// The largest number of rows.
    public int capacity() {
        return rowIds.length;
    }

    public int count() {
        return count;
    }

    /// The positions of the structs of the rows.
    Positions structs() {
        return new Positions.OfRows(positions, 0);
    }

    long rowId(int row) {
        return rowIds[row];
    }

    /// Removes all rows.
    public void clear() {
        count = 0;
    }

    public void add(long rowId, int position) {
        rowIds[count] = rowId;
        positions[count++] = position;
    }

    /// Keeps the rows that pass a test.
    public void retain(RowFilter test) {
        int kept = 0;
        for (int row = 0; row < count; row++) {
            if (test.accepts(row)) {
                rowIds[kept] = rowIds[row];
                positions[kept++] = positions[row];
            }
        }
        count = kept;
    }

    IllegalStateException failure(int row, ConversionFailure reason) {
        return new IllegalStateException("Value cannot be converted: " + table + ", rowid=" + rowIds[row] + ", reason="
                + reason.getMessage());
    }
}
