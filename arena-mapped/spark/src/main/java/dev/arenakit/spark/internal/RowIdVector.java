package dev.arenakit.spark.internal;

import org.apache.spark.sql.types.DataTypes;

/// The indices of the structs in their allocation.
final class RowIdVector extends StructVector {
    RowIdVector(StructBatch batch) {
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
