package dev.arenakit.spark.internal.vector;

import dev.arenakit.mapped.internal.column.ConversionFailure;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// The structs of a batch: their bytes, and the indices that they have in the allocation. A reader uses the memory
/// again for the next batch, as other sources of Spark do.
public final class StructBatch {
    /// The number of bytes that are read at a time, unless a struct is larger.
    private static final int BYTES = 1 << 17;
    private static final int MOST_ROWS = 1 << 13;

    private final String table;
    private final int structByteSize;
    /// Native memory, to which files are read without another copy. The garbage collector frees it: a thread of Spark may
    /// use a batch after the end of its task.
    private final MemorySegment segment;
    private final long[] rowIds;
    private final OnHeapColumnVector rowIdVector;
    private boolean usesRowIds;
    private int count;
    private int stride;

    /// @param table the allocation and its image, for messages
    public StructBatch(String table, int structByteSize) {
        this.table = table;
        this.structByteSize = structByteSize;
        int rows = Math.clamp(BYTES / structByteSize, 1, MOST_ROWS);
        segment = Arena.ofAuto().allocate(Math.multiplyExact(rows, structByteSize), Long.BYTES);
        rowIds = new long[rows];
        rowIdVector = new OnHeapColumnVector(rows, DataTypes.LongType);
    }

    /// The largest number of rows.
    public int capacity() {
        return rowIds.length;
    }

    public int count() {
        return count;
    }

    /// The indices of the structs.
    public ColumnVector rowIds() {
        usesRowIds = true;
        return rowIdVector;
    }

    /// Begins a batch of consecutive structs.
    ///
    /// @return the memory for their bytes
    public MemorySegment begin(long first, int rows) {
        begin(first, rows, structByteSize);
        return segment.asSlice(0, (long) rows * structByteSize);
    }

    /// Begins a batch of structs whose bytes are all zero, or are not used.
    public void beginUnread(long first, int rows) {
        begin(first, rows, 0);
        segment.asSlice(0, structByteSize).fill((byte) 0);
    }

    private void begin(long first, int rows, int bytesBetween) {
        for (int i = 0; i < rows; i++) {
            rowIds[i] = first + i;
        }
        stride = bytesBetween;
        setCount(rows);
    }

    private void setCount(int rows) {
        count = rows;
        if (usesRowIds) {
            rowIdVector.putLongs(0, rows, rowIds, 0);
        }
    }

    /// Keeps the structs that have other bytes than zeros.
    public void retainWritten() {
        retain(row -> !isZero(row * structByteSize));
    }

    private boolean isZero(int position) {
        int end = position + structByteSize;
        int at = position;
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            if (segment.get(JAVA_LONG_UNALIGNED, at) != 0) {
                return false;
            }
        }
        while (at < end && segment.get(JAVA_BYTE, at) == 0) {
            at++;
        }
        return at == end;
    }

    /// Keeps the rows that pass a test.
    public void retain(RowFilter test) {
        int kept = 0;
        for (int row = 0; row < count; row++) {
            int first = row;
            while (row < count && test.accepts(row)) {
                row++;
            }
            if (kept < first && first < row) {
                System.arraycopy(rowIds, first, rowIds, kept, row - first);
                MemorySegment.copy(segment, (long) first * stride, segment, (long) kept * stride,
                        (long) (row - first) * stride);
            }
            kept += row - first;
        }
        if (kept < count) {
            setCount(kept);
        }
    }

    /// Copies the rows to columns.
    ///
    /// @throws IllegalStateException if a value cannot be converted
    public void copyTo(StructVectors columns) {
        try {
            columns.fill(segment, stride, count);
        } catch (ConversionFailure e) {
            long row = stride == 0 ? 0 : e.byteOffset / stride;
            throw new IllegalStateException("Value cannot be converted: " + table + ", rowid=" + rowIds[(int) row]
                    + ", reason=" + e.getMessage());
        }
    }
}
