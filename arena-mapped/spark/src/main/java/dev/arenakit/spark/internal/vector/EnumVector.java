package dev.arenakit.spark.internal.vector;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import dev.arenakit.mapped.internal.column.EnumIndices;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/// Constants of an enum, as their names.
final class EnumVector extends StructVector {
    private final EnumIndices indices;
    private final UTF8String[] names;

    EnumVector(ColumnType.Constant constant, StructBatch batch, Positions values, @Nullable RowFilter valid) {
        super(SparkTypes.of(constant), batch, values, valid);
        indices = new EnumIndices(constant);
        names = constant.names().stream().map(UTF8String::fromString).toArray(UTF8String[]::new);
    }

    @Override
    boolean isConvertible(int index) {
        try {
            return indices.read(batch.segment(), values.at(index)) >= 0;
        } catch (ConversionFailure _) {
            return false;
        }
    }

    @Override
    public UTF8String getUTF8String(int index) {
        try {
            return names[indices.read(batch.segment(), values.at(index))];
        } catch (ConversionFailure e) {
            throw batch.failure(values.row(index), e);
        }
    }
}
