package dev.arenakit.spark.internal.vector;

import dev.arenakit.mapped.internal.column.ConversionFailure;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;

/// The structs of a batch: their bytes, and the indices that they have in the allocation. A reader uses the memory again
/// for the next batch, as other sources of Spark do.
public final class StructBatch {
    /// The number of bytes that are read at a time, unless a struct is larger.
    private static final int BYTES = 1 << 17;
    private static final int MOST_ROWS = 1 << 13;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder())
            .withInvokeExactBehavior();

    private final String table;
    private final int structByteSize;
    private final byte[] bytes;
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
        bytes = new byte[Math.multiplyExact(rows, structByteSize)];
        segment = MemorySegment.ofArray(bytes);
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
            if ((long) LONG.get(bytes, at) != 0) {
                return false;
            }
        }
        while (at < end && bytes[at] == 0) {
            at++;
        }
        return at == end;
    }

    /// Keeps the rows that pass a test.
    public void retain(RowFilter test) {
        int kept = 0;
        for (int row = 0; row < count; row++) {
            if (test.accepts(row)) {
                if (kept < row) {
                    rowIds[kept] = rowIds[row];
                    System.arraycopy(bytes, row * stride, bytes, kept * stride, stride);
                }
                kept++;
            }
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
