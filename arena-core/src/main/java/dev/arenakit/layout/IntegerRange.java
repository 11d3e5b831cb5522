package dev.arenakit.layout;

/// The values of an integer component whose size in memory is less than that of its type in Java.
///
/// @param min   the smallest value
/// @param max   the largest value
/// @param where class and component, for messages
record IntegerRange(long min, long max, String where) {
    static IntegerRange of(PackedInteger integer, String where) {
        return new IntegerRange(integer.min(), integer.max(), where);
    }

    /// @throws IllegalArgumentException if the value is out of range
    long checked(long value) {
        if (value < min || value > max) {
            throw outside(value);
        }
        return value;
    }

    private IllegalArgumentException outside(long value) {
        return new IllegalArgumentException("Value does not fit: " + where + ", value=" + value + ", min=" + min
                + ", max=" + max);
    }
}
