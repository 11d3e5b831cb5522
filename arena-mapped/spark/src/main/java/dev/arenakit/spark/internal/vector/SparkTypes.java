package dev.arenakit.spark.internal.vector;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.NumberKind;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/// The types of columns in Spark. It has no unsigned integers: they have the next larger type, as when Spark reads
/// Parquet.
public final class SparkTypes {
    /// The number of digits of the largest unsigned integer of 64 bits.
    private static final int UNSIGNED_DIGITS = 20;

    private SparkTypes() {}

    public static DataType of(ColumnType type) {
        return switch (type) {
            case ColumnType.Fixed fixed -> of(fixed.kind());
            case ColumnType.Text _,ColumnType.Constant _ -> DataTypes.StringType;
            case ColumnType.Array array -> DataTypes.createArrayType(of(array.element()), false);
            case ColumnType.Struct struct -> struct(struct.members(), false);
            case ColumnType.Union union -> struct(union.members(), true);
        };
    }

    public static StructField field(ColumnType.Column column, boolean isNullable) {
        return DataTypes.createStructField(column.name(), of(column.type()), isNullable);
    }

    private static StructType struct(List<ColumnType.Column> members, boolean areNullable) {
        return DataTypes.createStructType(members.stream().map(member -> field(member, areNullable)).toList());
    }

    private static DataType of(NumberKind kind) {
        return switch (kind) {
            case BOOLEAN -> DataTypes.BooleanType;
            case INT8 -> DataTypes.ByteType;
            case INT16, UINT8 -> DataTypes.ShortType;
            case INT32, UINT16 -> DataTypes.IntegerType;
            case INT64, UINT32 -> DataTypes.LongType;
            case UINT64 -> DataTypes.createDecimalType(UNSIGNED_DIGITS, 0);
            case FLOAT -> DataTypes.FloatType;
            case DOUBLE -> DataTypes.DoubleType;
        };
    }
}
