package dev.arenakit.spark.internal.vector;

import org.apache.spark.sql.types.DataTypes;

/// The indices of the structs in their allocation.
public final class RowIdVector extends StructVector {
    public RowIdVector(StructBatch batch) {
        super(DataTypes.LongType, batch, batch.structs(), null);
    }

    @Override
    boolean isConvertible(int index) {
        return true;
    }

    @Override
    public long getLong(int index) {
        return batch.rowId(index);
    }
}
