package dev.arenakit.sql.internal;

import dev.arenakit.sql.SqlException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
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
        columns = ResultColumns.indices(Arrays.stream(components).map(RecordComponent::getName).toList(), names);
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
