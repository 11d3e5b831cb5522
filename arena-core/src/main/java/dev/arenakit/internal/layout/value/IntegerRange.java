package dev.arenakit.internal.layout.value;

import dev.arenakit.internal.layout.declaration.PackedInteger;

/// The values of an integer component that is smaller in memory than its type in Java.
///
/// An unsigned integer of the same size is a bit pattern in Java: all values fit.
///
/// @param min   the smallest value
/// @param max   the largest value
/// @param mask  the bits that are written
/// @param where class and component, for messages
public record IntegerRange(long min, long max, long mask, String where) {
    public static IntegerRange of(PackedInteger integer, Class<?> inJava, String where) {
        long mask = integer.signed() ? -1 : -1L >>> (Long.SIZE - integer.bitSize());
        return isPattern(integer, inJava)
                ? new IntegerRange(Long.MIN_VALUE, Long.MAX_VALUE, mask, where)
                : new IntegerRange(integer.min(), integer.max(), mask, where);
    }

    private static boolean isPattern(PackedInteger integer, Class<?> inJava) {
        int bitSize = switch (inJava.getName()) {
            case "byte" -> Byte.SIZE;
            case "short", "char" -> Short.SIZE;
            case "int" -> Integer.SIZE;
            case "long" -> Long.SIZE;
            default -> 0;
        };
        return integer.bitSize() == bitSize;
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
