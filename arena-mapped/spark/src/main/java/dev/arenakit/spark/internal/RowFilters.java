package dev.arenakit.spark.internal;

import dev.arenakit.mapped.internal.column.RowRange;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.sources.AlwaysTrue;
import org.apache.spark.sql.sources.And;
import org.apache.spark.sql.sources.EqualNullSafe;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThan;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.In;
import org.apache.spark.sql.sources.IsNotNull;
import org.apache.spark.sql.sources.LessThan;
import org.apache.spark.sql.sources.LessThanOrEqual;
import org.apache.spark.sql.sources.Not;
import org.apache.spark.sql.sources.Or;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.unsafe.types.UTF8String;

/// The filters of Spark that a reader evaluates, on columns that are never null. Spark evaluates all others.
final class RowFilters {
    /// The types of columns that are compared, and the classes of the values with which Spark compares them.
    private static final Map<DataType, Class<?>> COMPARED = Map.of(DataTypes.BooleanType, Boolean.class,
            DataTypes.ByteType, Byte.class, DataTypes.ShortType, Short.class, DataTypes.IntegerType, Integer.class,
            DataTypes.LongType, Long.class, DataTypes.FloatType, Float.class, DataTypes.DoubleType, Double.class,
            DataTypes.StringType, String.class);

    private RowFilters() {}

    /// A comparison of a column with a value.
    ///
    /// @param accepts tests the order of the column relative to the value, as `compareTo` returns it
    private record Comparison(Object value, IntPredicate accepts) {
        /// The range of structs whose indices are accepted.
        RowRange rows() {
            long index = (Long) value;
            // No struct has the index Long.MAX_VALUE.
            long next = index == Long.MAX_VALUE ? index : index + 1;
            long first = accepts.test(-1) ? 0 : accepts.test(0) ? index : next;
            long end = accepts.test(1) ? Long.MAX_VALUE : accepts.test(0) ? next : index;
            return new RowRange(Math.max(0, first), Math.max(0, end), false);
        }
    }

    private static Optional<Comparison> comparison(Filter filter) {
        return Optional.ofNullable(switch (filter) {
            case EqualTo equal -> new Comparison(equal.value(), order -> order == 0);
            case EqualNullSafe equal when equal.value() != null ->
                new Comparison(equal.value(), order -> order == 0);
            case LessThan less -> new Comparison(less.value(), order -> order < 0);
            case LessThanOrEqual less -> new Comparison(less.value(), order -> order <= 0);
            case GreaterThan greater -> new Comparison(greater.value(), order -> order > 0);
            case GreaterThanOrEqual greater -> new Comparison(greater.value(), order -> order >= 0);
            default -> null;
        });
    }

    /// The comparisons of a membership: a row satisfies it if it satisfies any comparison.
    private static Stream<Filter> comparisons(In in) {
        return Arrays.stream(in.values()).map(value -> new EqualNullSafe(in.attribute(), value));
    }

    /// Whether a reader evaluates a filter.
    ///
    /// @param columns the columns with values that differ from row to row
    static boolean isSupported(Filter filter, StructType columns) {
        return switch (filter) {
            case And and -> isSupported(and.left(), columns) && isSupported(and.right(), columns);
            case Or or -> isSupported(or.left(), columns) && isSupported(or.right(), columns);
            case Not not -> isSupported(not.child(), columns);
            case In in -> comparisons(in).allMatch(each -> isSupported(each, columns));
            case AlwaysTrue _ -> true;
            case IsNotNull _ -> type(filter, columns).isPresent();
            default -> {
                Optional<Class<?>> compared = type(filter, columns).map(COMPARED::get);
                yield compared.isPresent()
                        && comparison(filter).filter(found -> compared.get().isInstance(found.value)).isPresent();
            }
        };
    }

    /// The type of the column of a filter, or of a member within nested structs, that is never null.
    private static Optional<DataType> type(Filter filter, StructType columns) {
        DataType type = columns;
        for (String name : path(filter)) {
            Optional<StructField> field = type instanceof StructType struct
                    ? Arrays.stream(struct.fields())
                            .filter(each -> each.name().equals(name) && !each.nullable())
                            .findFirst()
                    : Optional.empty();
            if (field.isEmpty()) {
                return Optional.empty();
            }
            type = field.get().dataType();
        }
        return Optional.of(type);
    }

    /// The names of the column of a filter, and of members within it.
    private static List<String> path(Filter filter) {
        return List.of(filter.v2references()[0]);
    }

    /// The names of the columns of a filter.
    static Set<String> columns(Filter filter) {
        return Arrays.stream(filter.v2references()).map(path -> path[0]).collect(Collectors.toSet());
    }

    /// The range of structs to which a filter restricts a query.
    ///
    /// @param rowId the name of the column of the struct's index
    static RowRange rows(Filter filter, String rowId) {
        return switch (filter) {
            case And and -> rows(and.left(), rowId).intersect(rows(and.right(), rowId));
            case Or or -> rows(or.left(), rowId).hull(rows(or.right(), rowId));
            case In in -> comparisons(in).map(each -> rows(each, rowId)).reduce(RowRange::hull).orElse(RowRange.ALL);
            default -> comparison(filter).filter(_ -> path(filter).equals(List.of(rowId)))
                    .map(Comparison::rows)
                    .orElse(RowRange.ALL);
        };
    }

    /// Returns the test that evaluates a filter on the rows of a batch.
    ///
    /// @param columns returns the vector of a column by its name
    static IntPredicate test(Filter filter, Function<String, ColumnVector> columns) {
        return switch (filter) {
            case And and -> test(and.left(), columns).and(test(and.right(), columns));
            case Or or -> test(or.left(), columns).or(test(or.right(), columns));
            case Not not -> test(not.child(), columns).negate();
            case In in -> comparisons(in).map(each -> test(each, columns)).reduce(_ -> false, IntPredicate::or);
            default -> comparison(filter).map(found -> {
                RowOrder order = order(vector(path(filter), columns), found.value);
                return (IntPredicate) row -> found.accepts.test(order.compare(row));
            }).orElse(_ -> true);
        };
    }

    private static ColumnVector vector(List<String> names, Function<String, ColumnVector> columns) {
        ColumnVector vector = columns.apply(names.getFirst());
        for (String name : names.subList(1, names.size())) {
            List<String> members = Arrays.asList(((StructType) vector.dataType()).fieldNames());
            vector = vector.getChild(members.indexOf(name));
        }
        return vector;
    }

    /// The order of the value in a row relative to the value of a comparison.
    @FunctionalInterface
    private interface RowOrder {
        int compare(int row);
    }

    private static RowOrder order(ColumnVector vector, Object compared) {
        return switch (compared) {
            case String string -> {
                UTF8String text = UTF8String.fromString(string);
                // Another comparison, compareTo, looks up an environment variable each time.
                yield row -> vector.getUTF8String(row).binaryCompare(text);
            }
            case Boolean value -> row -> Boolean.compare(vector.getBoolean(row), value);
            case Double value -> row -> compare(vector.getDouble(row), value);
            case Float value -> row -> compare(vector.getFloat(row), value);
            case Long value -> row -> Long.compare(vector.getLong(row), value);
            case Integer value -> row -> Integer.compare(vector.getInt(row), value);
            case Short value -> row -> Short.compare(vector.getShort(row), value);
            default -> row -> Byte.compare(vector.getByte(row), (Byte) compared);
        };
    }

    /// Zeros are equal in Spark, and so are NaNs, which are larger than all numbers.
    private static int compare(double value, double other) {
        return value == other ? 0 : Double.compare(value, other);
    }
}
