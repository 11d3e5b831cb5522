package dev.arenakit.sql.internal;

import dev.arenakit.mapped.internal.column.ColumnNames;
import dev.arenakit.sql.SqlException;
import dev.arenakit.sql.internal.duckdb.SqlIdentifiers;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Creates records from the rows of a result. Each component takes the value of the column with its name.
///
/// @param <R> the record class
public final class ResultRecords<R extends Record> {
    private final Class<R> type;
    private final RecordComponent[] components;
    private final int[] columns;
    private final MethodHandle constructor;

    /// @param names the names of the columns
    /// @throws IllegalArgumentException if the constructor is not accessible, or a component has no column
    public ResultRecords(MethodHandles.Lookup lookup, Class<R> type, List<String> names) {
        this.type = type;
        components = type.getRecordComponents();
        columns = indices(Arrays.stream(components).map(RecordComponent::getName).toList(), names);
        MethodType signature = MethodType.methodType(void.class,
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        try {
            constructor = lookup.findConstructor(type, signature)
                    .asType(signature.generic().changeReturnType(Object.class))
                    .asSpreader(Object[].class, components.length);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("Record class is not accessible: class=" + type.getName()
                    + "; pass MethodHandles.lookup()", e);
        }
    }

    /// Returns the index of each component's column. The column has the name of the component. If there is no such
    /// column, it has the name that a table gives a member of this name, with a suffix if the names of two members
    /// differ only in upper and lower case. If there is no such column either, it is the only column whose name differs
    /// from the component's name only in case.
    ///
    /// @param members the names of the components
    /// @param columns the names of the columns
    /// @throws IllegalArgumentException if a component has no column or several columns, or if two components have the
    ///                                  same column
    private static int[] indices(List<String> members, List<String> columns) {
        Set<String> taken = new HashSet<>();
        List<Integer> found = new ArrayList<>();
        for (String member : members) {
            int index = index(member, ColumnNames.unique(member, SqlIdentifiers::key, taken), columns);
            if (found.contains(index)) {
                throw new IllegalArgumentException("Two components have the same column: name=" + member + ", column="
                        + columns.get(index) + "; name another column " + member + " in the query");
            }
            found.add(index);
        }
        return found.stream().mapToInt(Integer::intValue).toArray();
    }

    private static int index(String member, String unique, List<String> columns) {
        List<Predicate<String>> tests = List.of(member::equals, unique::equals, member::equalsIgnoreCase);
        for (Predicate<String> test : tests) {
            List<Integer> found = IntStream.range(0, columns.size())
                    .filter(i -> test.test(columns.get(i)))
                    .boxed()
                    .toList();
            if (found.size() > 1) {
                throw new IllegalArgumentException("Result has several such columns: name=" + member + ", columns="
                        + found.stream().map(columns::get).toList() + "; name them differently in the query");
            }
            if (!found.isEmpty()) {
                return found.getFirst();
            }
        }
        throw new IllegalArgumentException("Result has no such column: name=" + member + ", columns=" + columns);
    }

    /// The indices of the components' columns.
    public int[] columns() {
        return columns;
    }

    /// Creates a record from a row.
    ///
    /// @param row the values of these columns
    public R create(@Nullable Object[] row) {
        @Nullable
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = convert(components[i], row[i]);
        }
        try {
            return type.cast(constructor.invokeExact(values));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new SqlException("Constructor of a record failed: class=" + type.getName(), t);
        }
    }

    private static @Nullable Object convert(RecordComponent component, @Nullable Object value) {
        Class<?> wanted = component.getType();
        if (value == null && !wanted.isPrimitive()) {
            return null;
        }
        Class<?> boxed = MethodType.methodType(wanted).wrap().returnType();
        Object converted = switch (value) {
            case Number number when boxed == Double.class -> number.doubleValue();
            case Number number when boxed == Float.class -> number.floatValue();
            case Long number when boxed != Long.class -> narrow(boxed, number);
            case BigInteger number when number.bitLength() < Long.SIZE && boxed != BigInteger.class ->
                narrow(boxed, number.longValue());
            case String name when wanted.isEnum() -> constant(wanted, name);
            case null, default -> value;
        };
        if (!boxed.isInstance(converted)) {
            throw new SqlException("Value does not suit the component of the record: component=" + component.getName()
                    + ", value=" + value + ", class=" + wanted.getName());
        }
        return converted;
    }

    /// Returns the number as an object of another class, or null if the class cannot represent it.
    private static @Nullable Object narrow(Class<?> boxed, long number) {
        return switch (boxed.getSimpleName()) {
            case "Integer" -> number == (int) number ? (Object) (int) number : null;
            case "Short" -> number == (short) number ? (Object) (short) number : null;
            case "Byte" -> number == (byte) number ? (Object) (byte) number : null;
            case "Character" -> number == (char) number ? (Object) (char) number : null;
            case "BigInteger" -> BigInteger.valueOf(number);
            default -> number;
        };
    }

    private static @Nullable Object constant(Class<?> type, String name) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> ((Enum<?>) constant).name().equals(name))
                .findFirst()
                .orElse(null);
    }
}
