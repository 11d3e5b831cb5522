package dev.arenakit.spark.internal.vector;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import dev.arenakit.mapped.internal.column.buffer.StructBatch;
import dev.arenakit.mapped.internal.column.buffer.StructColumns;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnVector;

/// The vectors of some columns, to which structs are copied.
public final class StructVectors {
    private final StructColumns columns;
    private final BufferVector[] vectors;

    public StructVectors(List<ColumnType.Column> columns, long structByteSize) {
        this.columns = new StructColumns(columns, structByteSize,
                (byteSize, _) -> MemorySegment.ofArray(new byte[Math.toIntExact(byteSize)]));
        vectors = new BufferVector[columns.size()];
        for (int i = 0; i < vectors.length; i++) {
            vectors[i] = new BufferVector(columns.get(i).type(), this.columns.buffer(i));
        }
    }

    public ColumnVector vector(int column) {
        return vectors[column];
    }

    /// Copies all structs of a batch.
    ///
    /// @param table the allocation and its image, for messages
    /// @throws IllegalStateException if a value cannot be converted
    public void fill(StructBatch structs, String table) {
        try {
            structs.copyTo(columns, 0, structs.count());
        } catch (ConversionFailure e) {
            throw new IllegalStateException("Value cannot be converted: " + table + ", " + structs.describe(e, 0));
        }
        for (BufferVector vector : vectors) {
            vector.update(structs.count());
        }
    }
}
