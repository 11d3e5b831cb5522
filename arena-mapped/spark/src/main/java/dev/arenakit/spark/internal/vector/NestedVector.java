package dev.arenakit.spark.internal.vector;

import dev.arenakit.mapped.internal.column.ColumnType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/// Nested structs, and unions.
final class NestedVector extends StructVector {
    private final StructVector[] members;

    NestedVector(ColumnType type, StructBatch batch, Positions values, @Nullable RowFilter valid,
            StructVector[] members) {
        super(SparkTypes.of(type), batch, values, valid);
        this.members = members;
    }

    /// A member that is null needs no bytes.
    @Override
    boolean isConvertible(int index) {
        for (StructVector member : members) {
            if (!member.isNullAt(index) && !member.isConvertible(index)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public ColumnVector getChild(int ordinal) {
        return members[ordinal];
    }
}
