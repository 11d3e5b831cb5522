package dev.arenakit.layout.type;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.Optional;

/// A primitive value in a given byte order. A `boolean` is one byte; 0 is false, and any other value is true.
///
/// @param carrier       the primitive type in Java, for example `int.class`; not `void.class`
/// @param order         the byte order; for a type of one byte, always the native byte order
/// @param byteAlignment the alignment in bytes
public record ValueType(Class<?> carrier, ByteOrder order, long byteAlignment) implements MemoryType {
    /// Creates a value type.
    ///
    /// @throws IllegalArgumentException if the carrier is not a primitive type, or is `void`, or if the alignment is
    ///                                  not a power of two
    public ValueType {
        Objects.requireNonNull(order, "order");
        Sizes.checkAlignment(byteAlignment);
        if (natural(carrier).byteSize() == 1) {
            order = ByteOrder.nativeOrder();
        }
    }

    /// Returns the type of a primitive value in native byte order, aligned to its size as in C.
    ///
    /// @param carrier the primitive type in Java
    /// @return the type
    /// @throws IllegalArgumentException if the carrier is not a primitive type, or is `void`
    public static ValueType of(Class<?> carrier) {
        return of(carrier, ByteOrder.nativeOrder());
    }

    /// Returns the type of a primitive value in the given byte order, aligned to its size as in C.
    ///
    /// @param carrier the primitive type in Java
    /// @param order   the byte order
    /// @return the type
    /// @throws IllegalArgumentException if the carrier is not a primitive type, or is `void`
    public static ValueType of(Class<?> carrier, ByteOrder order) {
        return new ValueType(carrier, order, natural(carrier).byteSize());
    }

    /// Returns the name of the type in C, which is also its name in [dev.arenakit.layout.text.LayoutText]: `int32_t`
    /// for an `int`, `uint16_t` for a `char`.
    ///
    /// @return the name, which is the same for both byte orders
    public String cName() {
        return switch (carrier.getName()) {
            case "boolean" -> "bool";
            case "byte" -> "int8_t";
            case "short" -> "int16_t";
            case "char" -> "uint16_t";
            case "int" -> "int32_t";
            case "long" -> "int64_t";
            default -> carrier.getName();
        };
    }

    @Override
    public long byteSize() {
        return natural(carrier).byteSize();
    }

    @Override
    public Optional<StoredInteger> integer() {
        return carrier == float.class || carrier == double.class
                ? Optional.empty()
                : Optional.of(StoredInteger.ofBytes(byteSize(), order,
                        carrier != char.class && carrier != boolean.class));
    }

    @Override
    public boolean isScalar() {
        return true;
    }

    @Override
    public ValueType withByteAlignment(long byteAlignment) {
        return new ValueType(carrier, order, byteAlignment);
    }

    @Override
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
                throw new IllegalArgumentException("Not a primitive type: carrier=" + carrier.getName());
        };
        return (ValueLayout) layout;
    }
}
