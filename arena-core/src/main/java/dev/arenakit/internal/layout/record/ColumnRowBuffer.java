package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.value.RecordCodec;
import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.layout.type.ColumnTableFormat.Column;
import java.lang.foreign.MemorySegment;

/// Reads and writes the rows of a table with very many components through an array that contains one row.
///
/// @param row the codec of a row, which requires no alignment
record ColumnRowBuffer(ColumnTableFormat table, RecordCodec row) {
    Object read(MemorySegment segment, long capacity, long index) {
        return row.get(copy(segment, capacity, index), 0);
    }

    void write(MemorySegment segment, long capacity, long index, Object record) {
        // A write of a record may leave bytes of the row as they are.
        MemorySegment copy = copy(segment, capacity, index);
        row.set(copy, 0, record);
        for (Column column : table.columns()) {
            MemorySegment.copy(copy, column.rowByteOffset(), segment,
                    column.byteOffset(capacity, index) + column.byteOffset(), column.byteSize());
        }
    }

    private MemorySegment copy(MemorySegment segment, long capacity, long index) {
        MemorySegment copy = MemorySegment.ofArray(new byte[Math.toIntExact(row.byteSize())]);
        for (Column column : table.columns()) {
            column.copyToRows(segment, column.byteOffset(capacity, index), 1, copy, row.byteSize());
        }
        return copy;
    }
}
