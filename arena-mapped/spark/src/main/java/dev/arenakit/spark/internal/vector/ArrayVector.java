package dev.arenakit.spark.internal.vector;

import dev.arenakit.mapped.internal.column.ColumnType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.jspecify.annotations.Nullable;

/// Arrays.
final class ArrayVector extends StructVector {
    private final ColumnType.Array array;
    private final Positions structs;
    private final StructVector elements;

    ArrayVector(ColumnType.Array array, StructBatch batch, Positions values, Positions structs,
            @Nullable RowFilter valid, StructVector elements) {
        super(SparkTypes.of(array), batch, values, valid);
        this.array = array;
        this.structs = structs;
        this.elements = elements;
    }

    private int firstElement(int index) {
        return Math.toIntExact(index * array.length());
    }

    private int validLength(int index) {
        return (int) array.validLength(batch.segment(), structs.at(index));
    }

    @Override
    boolean isConvertible(int index) {
        int first = firstElement(index);
        int length = validLength(index);
        for (int i = 0; i < length; i++) {
            if (!elements.isConvertible(first + i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public ColumnarArray getArray(int index) {
        return new ColumnarArray(elements, firstElement(index), validLength(index));
    }

    @Override
    public ColumnVector getChild(int ordinal) {
        return elements;
    }
}
