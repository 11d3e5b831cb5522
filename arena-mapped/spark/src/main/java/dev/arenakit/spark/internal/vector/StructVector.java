package dev.arenakit.spark.internal.vector;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.UnionIndices;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/// A column, or the members or elements within a column. It copies nothing: each value is read from the bytes of the
/// batch when Spark asks for it.
public abstract class StructVector extends ColumnVector {
    final StructBatch batch;
    final Positions values;
    private final @Nullable RowFilter valid;

    /// @param valid whether a value is not null, or null if all values are
    StructVector(DataType type, StructBatch batch, Positions values, @Nullable RowFilter valid) {
        super(type);
        this.batch = batch;
        this.values = values;
        this.valid = valid;
    }

    /// Creates the vector of a column.
    public static StructVector of(ColumnType.Column column, StructBatch batch) {
        Positions structs = batch.structs();
        return of(column.type(), batch, structs.plus(column.byteOffset()), structs, null);
    }

    /// @param structs the positions of the innermost structs that contain the values
    private static StructVector of(ColumnType type, StructBatch batch, Positions values, Positions structs,
            @Nullable RowFilter valid) {
        return switch (type) {
            case ColumnType.Fixed fixed -> new NumberVector(fixed, batch, values, valid);
            case ColumnType.Text text -> new TextVector(text, batch, values, valid);
            case ColumnType.Constant constant -> new EnumVector(constant, batch, values, valid);
            case ColumnType.Array array -> {
                int length = Math.toIntExact(array.length());
                Positions elements = new Positions.OfElements(values, length,
                        Math.toIntExact(array.elementByteSize()), 0);
                Positions elementStructs = new Positions.OfElements(structs, length, 0, 0);
                yield new ArrayVector(array, batch, values, structs, valid,
                        of(array.element(), batch, elements, elementStructs, null));
            }
            case ColumnType.Struct struct -> new NestedVector(struct, batch, values, valid, struct.members()
                    .stream()
                    .map(member -> of(member.type(), batch, values.plus(member.byteOffset()), values, null))
                    .toArray(StructVector[]::new));
            case ColumnType.Union union -> new NestedVector(union, batch, values, valid,
                    members(union, batch, values, structs));
        };
    }

    /// All members of a union but the valid member are null. If the valid member is unknown, a member is null whose
    /// bytes are no value of its type.
    private static StructVector[] members(ColumnType.Union union, StructBatch batch, Positions values,
            Positions structs) {
        UnionIndices indices = new UnionIndices(union);
        List<ColumnType.Column> columns = union.members();
        StructVector[] members = new StructVector[columns.size()];
        for (int i = 0; i < members.length; i++) {
            int member = i;
            ColumnType.Column column = columns.get(i);
            Positions at = values.plus(column.byteOffset());
            StructVector raw = of(column.type(), batch, at, structs, null);
            members[i] = of(column.type(), batch, at, structs, index -> {
                int found = indices.read(batch.segment(), structs.at(index));
                return found == UnionIndices.UNKNOWN ? raw.isConvertible(index) : found == member;
            });
        }
        return members;
    }

    /// Whether the bytes are a value of the type.
    abstract boolean isConvertible(int index);

    @Override
    public final boolean isNullAt(int index) {
        return valid != null && !valid.accepts(index);
    }

    @Override
    public final boolean hasNull() {
        return valid != null;
    }

    @Override
    public final int numNulls() {
        int nulls = 0;
        for (int i = 0; valid != null && i < batch.count(); i++) {
            nulls += isNullAt(i) ? 1 : 0;
        }
        return nulls;
    }

    @Override
    public final void close() {
        // The bytes belong to the batch.
    }

    @Override
    public boolean getBoolean(int index) {
        throw unsupported();
    }

    @Override
    public byte getByte(int index) {
        throw unsupported();
    }

    @Override
    public short getShort(int index) {
        throw unsupported();
    }

    @Override
    public int getInt(int index) {
        throw unsupported();
    }

    @Override
    public long getLong(int index) {
        throw unsupported();
    }

    @Override
    public float getFloat(int index) {
        throw unsupported();
    }

    @Override
    public double getDouble(int index) {
        throw unsupported();
    }

    @Override
    public ColumnarArray getArray(int index) {
        throw unsupported();
    }

    @Override
    public final ColumnarMap getMap(int index) {
        throw unsupported();
    }

    @Override
    public Decimal getDecimal(int index, int precision, int scale) {
        throw unsupported();
    }

    @Override
    public UTF8String getUTF8String(int index) {
        throw unsupported();
    }

    @Override
    public final byte[] getBinary(int index) {
        throw unsupported();
    }

    @Override
    public ColumnVector getChild(int ordinal) {
        throw unsupported();
    }

    private UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("Column has values of another type: type=" + dataType());
    }
}
