package dev.arenakit.internal.layout.value;

import dev.arenakit.layout.type.StoredInteger;
import java.util.Map;

/// The values of an integer component that is smaller in memory than its type in Java.
///
/// An unsigned integer of the same size is a bit pattern in Java: all values fit.
///
/// @param min   the smallest value
/// @param max   the largest value
/// @param mask  the bits that are written
/// @param where class and component, for messages
public record IntegerRange(long min, long max, long mask, String where) {
    /// The number of bits of each integer type in Java.
    static final Map<Class<?>, Integer> BITS = Map.of(byte.class, Byte.SIZE, short.class, Short.SIZE, char.class,
            Character.SIZE, int.class, Integer.SIZE, long.class, Long.SIZE);

    public static IntegerRange of(StoredInteger integer, Class<?> inJava, String where) {
        long mask = integer.isSigned() ? -1 : -1L >>> (Long.SIZE - integer.bitSize());
        return integer.bitSize() == BITS.getOrDefault(inJava, 0)
                ? new IntegerRange(Long.MIN_VALUE, Long.MAX_VALUE, mask, where)
                : new IntegerRange(integer.min(), integer.max(), mask, where);
    }

    /// Returns the value as it is in memory. An unsigned integer is extended with zeros.
    ///
    /// @throws IllegalArgumentException if the value is out of range
    public long checked(long value) {
        if (value < min || value > max) {
            throw outside(value);
        }
        return value & mask;
    }

    private IllegalArgumentException outside(long value) {
        return new IllegalArgumentException("Value does not fit: " + where + ", value=" + value + ", min=" + min
                + ", max=" + max);
    }
}
