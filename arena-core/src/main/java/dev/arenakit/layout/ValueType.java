package dev.arenakit.layout;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/// A primitive value in a given order of bytes. A `boolean` takes one byte, of which 0 is false and all else true.
///
/// @param carrier       the primitive type in Java, for instance `int.class`; not `void.class`
/// @param order         the order of the bytes; of no effect, and always the native one, where there is only one
/// @param byteAlignment the alignment in bytes
public record ValueType(Class<?> carrier, ByteOrder order, long byteAlignment) implements MemoryType {
    /// Checks that the parts go together.
    ///
    /// @throws IllegalArgumentException when the carrier is no primitive type of a value, or the alignment no power of two
    public ValueType {
        Objects.requireNonNull(order, "order");
        Types.checkAlignment(byteAlignment);
        if (natural(carrier).byteSize() == 1) {
            order = ByteOrder.nativeOrder();
        }
    }

    /// The primitive type in native order, aligned to its size as in C.
    ///
    /// @param carrier the primitive type in Java
    /// @return the type
    public static ValueType of(Class<?> carrier) {
        return of(carrier, ByteOrder.nativeOrder());
    }

    /// The primitive type in the given order, aligned to its size as in C.
    ///
    /// @param carrier the primitive type in Java
    /// @param order the order of the bytes
    /// @return the type
    public static ValueType of(Class<?> carrier, ByteOrder order) {
        return new ValueType(carrier, order, natural(carrier).byteSize());
    }

    @Override
    public long byteSize() {
        return natural(carrier).byteSize();
    }

    @Override
    public ValueType withByteAlignment(long byteAlignment) {
        return new ValueType(carrier, order, byteAlignment);
    }

    /// The type in another order of bytes.
    ///
    /// @param order the order of the bytes
    /// @return the type in that order
    public ValueType withOrder(ByteOrder order) {
        return new ValueType(carrier, order, byteAlignment);
    }

    @Override
    public ValueLayout layout() {
        return natural(carrier).withOrder(order).withByteAlignment(byteAlignment);
    }

    private static ValueLayout natural(Class<?> carrier) {
        MemoryLayout layout = switch (carrier.getName()) {
            case "boolean" -> ValueLayout.JAVA_BOOLEAN;
            case "byte" -> ValueLayout.JAVA_BYTE;
            case "short" -> ValueLayout.JAVA_SHORT;
            case "char" -> ValueLayout.JAVA_CHAR;
            case "int" -> ValueLayout.JAVA_INT;
            case "long" -> ValueLayout.JAVA_LONG;
            case "float" -> ValueLayout.JAVA_FLOAT;
            case "double" -> ValueLayout.JAVA_DOUBLE;
            default ->
                throw new IllegalArgumentException("Not the type of a primitive value: carrier=" + carrier.getName());
        };
        return (ValueLayout) layout;
    }
}
