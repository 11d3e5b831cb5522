package dev.arenakit.layout.type;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.Optional;

/// An unsigned integer of 1 to 8 bytes.
///
/// An integer of 8 bytes is a bit pattern in a `long`: values from 2^63 on are negative in Java.
///
/// ```java
/// StructType header = StructType.builder("Header")
///         .add("port", UnsignedType.of(2, ByteOrder.BIG_ENDIAN))   // 0 to 65,535
///         .add("nanos", UnsignedType.of(6))                        // 6 bytes, at any offset
///         .build();
/// ```
///
/// @param byteSize      the size in bytes, from 1 to 8
/// @param order         the byte order; for a size of 1, always the native byte order
/// @param byteAlignment the alignment in bytes
public record UnsignedType(long byteSize, ByteOrder order, long byteAlignment) implements MemoryType {
    /// Creates an unsigned type.
    ///
    /// @throws IllegalArgumentException if the size is not from 1 to 8, or if the alignment is not a power of two
    public UnsignedType {
        Objects.requireNonNull(order, "order");
        Sizes.checkAlignment(byteAlignment);
        if (byteSize < 1 || byteSize > Long.BYTES) {
            throw new IllegalArgumentException(
                    "Size of an unsigned integer is out of range: byteSize=" + byteSize + "; use 1 to 8");
        }
        if (byteSize == 1) {
            order = ByteOrder.nativeOrder();
        }
    }

    /// Returns the type of an unsigned integer in native byte order.
    ///
    /// @param byteSize the size in bytes, from 1 to 8
    /// @return the type, whose alignment is its size if the size is a power of two, otherwise 1
    /// @throws IllegalArgumentException if the size is not from 1 to 8
    public static UnsignedType of(long byteSize) {
        return of(byteSize, ByteOrder.nativeOrder());
    }

    /// Returns the type of an unsigned integer in the given byte order.
    ///
    /// @param byteSize the size in bytes, from 1 to 8
    /// @param order    the byte order
    /// @return the type, whose alignment is its size if the size is a power of two, otherwise 1
    /// @throws IllegalArgumentException if the size is not from 1 to 8
    public static UnsignedType of(long byteSize, ByteOrder order) {
        return new UnsignedType(byteSize, order, Sizes.isPowerOfTwo(byteSize) ? byteSize : 1);
    }

    /// Returns the name of the type in [dev.arenakit.layout.text.LayoutText]: `uint8_t`, `uint16_t`, `uint24_t` and so
    /// on up to `uint64_t`. If C has such a type, this is also its name in C.
    ///
    /// @return the name, which is the same for both byte orders
    public String cName() {
        return "uint" + Byte.SIZE * byteSize + "_t";
    }

    /// Returns whether C has an integer type of this size.
    ///
    /// @return whether the size is 1, 2, 4 or 8
    public boolean isPowerOfTwo() {
        return Sizes.isPowerOfTwo(byteSize);
    }

    /// Returns whether a primitive type is the carrier of the layout of this type. Each value of this type is then a
    /// bit pattern in the primitive type.
    ///
    /// @param carrier a primitive type, such as `short`
    /// @return whether the primitive type is the carrier; always false for `char`, and for sizes that are not a power
    ///         of two
    public boolean isPatternOf(Class<?> carrier) {
        return isPowerOfTwo() && ((ValueLayout) layout()).carrier() == carrier;
    }

    @Override
    public Optional<StoredInteger> integer() {
        return Optional.of(StoredInteger.ofBytes(byteSize, order, false));
    }

    @Override
    public UnsignedType withByteAlignment(long byteAlignment) {
        return new UnsignedType(byteSize, order, byteAlignment);
    }

    @Override
    public UnsignedType withOrder(ByteOrder order) {
        return new UnsignedType(byteSize, order, byteAlignment);
    }

    /// Returns the layout of a `byte`, `short`, `int` or `long` with this size and byte order, or the layout of a
    /// sequence of bytes if no such type has this size.
    @Override
    public MemoryLayout layout() {
        MemoryLayout layout = switch ((int) byteSize) {
            case 1 -> ValueLayout.JAVA_BYTE;
            case 2 -> ValueLayout.JAVA_SHORT.withOrder(order);
            case 4 -> ValueLayout.JAVA_INT.withOrder(order);
            case 8 -> ValueLayout.JAVA_LONG.withOrder(order);
            default -> MemoryLayout.sequenceLayout(byteSize, ValueLayout.JAVA_BYTE);
        };
        return layout.withByteAlignment(byteAlignment);
    }
}
