package dev.arenakit.spark.internal;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.unsafe.types.UTF8String;

/// Makes the tests that evaluate conditions on the rows of a batch.
final class RowFilters {
    private RowFilters() {}

    /// @param columns returns the vector of a column by its name
    static IntPredicate of(RowCondition condition, Function<String, ColumnVector> columns) {
        return switch (condition) {
            case RowCondition.And and -> tests(and.conditions(), columns).reduce(IntPredicate::and).orElse(_ -> true);
            case RowCondition.Or or -> tests(or.conditions(), columns).reduce(IntPredicate::or).orElse(_ -> false);
            case RowCondition.Not not -> of(not.condition(), columns).negate();
            case RowCondition.Comparison comparison -> comparison(comparison, columns);
        };
    }

    private static Stream<IntPredicate> tests(List<RowCondition> conditions, Function<String, ColumnVector> columns) {
        return conditions.stream().map(each -> of(each, columns));
    }

    private static IntPredicate comparison(RowCondition.Comparison comparison, Function<String, ColumnVector> columns) {
        ColumnVector vector = vector(comparison.column(), columns);
        RowOrder order = order(vector, comparison.type(), comparison.literal());
        RowCondition.Operator operator = comparison.operator();
        return row -> operator.accepts(order.compare(row));
    }

    private static ColumnVector vector(List<String> names, Function<String, ColumnVector> columns) {
        ColumnVector vector = columns.apply(names.getFirst());
        for (String name : names.subList(1, names.size())) {
            List<String> members = Arrays.asList(((StructType) vector.dataType()).fieldNames());
            vector = vector.getChild(members.indexOf(name));
        }
        return vector;
    }

    /// The order of the value in a row relative to a literal.
    @FunctionalInterface
    private interface RowOrder {
        int compare(int row);
    }

    private static RowOrder order(ColumnVector vector, DataType type, Object literal) {
        if (type.equals(DataTypes.StringType)) {
            UTF8String text = (UTF8String) literal;
            // Another comparison, compareTo, looks up an environment variable each time.
            return row -> vector.getUTF8String(row).binaryCompare(text);
        }
        if (type.equals(DataTypes.BooleanType)) {
            boolean value = (Boolean) literal;
            return row -> Boolean.compare(vector.getBoolean(row), value);
        }
        Number number = (Number) literal;
        if (type.equals(DataTypes.DoubleType)) {
            double value = number.doubleValue();
            return row -> compare(vector.getDouble(row), value);
        }
        if (type.equals(DataTypes.FloatType)) {
            float value = number.floatValue();
            return row -> compare(vector.getFloat(row), value);
        }
        long value = number.longValue();
        if (type.equals(DataTypes.LongType)) {
            return row -> Long.compare(vector.getLong(row), value);
        }
        if (type.equals(DataTypes.IntegerType)) {
            return row -> Long.compare(vector.getInt(row), value);
        }
        return type.equals(DataTypes.ShortType)
                ? row -> Long.compare(vector.getShort(row), value)
                : row -> Long.compare(vector.getByte(row), value);
    }

    /// Zeros are equal in Spark, and so are NaNs, which are larger than all numbers.
    private static int compare(double value, double other) {
        return value == other ? 0 : Double.compare(value, other);
    }
}
