package dev.arenakit.internal;

import java.util.Locale;

/// Overflow-safe arithmetic on sizes and alignments, in bytes.
///
/// An allocation makes its checks in the order of the JDK: arguments, then thread and liveness (`Scopes.checkOpen`),
/// then memory. [#checkArguments] is the first step, and [#checkAddressable] starts the last one. After both have
/// passed, a size, an alignment and an address can be added without further checks: no sum comes near 2^63.
public final class Sizes {
    /// The size of user space on aarch64. It is 2^47 on x86-64; the limit is the same on both.
    public static final long ADDRESSABLE = 1L << 48;

    /// The largest alignment of a type: no address has a larger one.
    public static final long LARGEST_ALIGNMENT = 1L << 62;

    private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB"};

    private Sizes() {}

    /// Checks that a size is not negative, and that an alignment is a power of two.
    ///
    /// @throws IllegalArgumentException if not; the message has both values
    public static void checkArguments(long byteSize, long byteAlignment) {
        if (byteSize < 0 || !isPowerOfTwo(byteAlignment)) {
            throw badArguments(byteSize, byteAlignment);
        }
    }

    /// Checks that an alignment is a power of two.
    ///
    /// @throws IllegalArgumentException if not; the message has the value
    public static void checkAlignment(long byteAlignment) {
        if (!isPowerOfTwo(byteAlignment)) {
            throw new IllegalArgumentException("Alignment is not a power of two: byteAlignment=" + byteAlignment);
        }
    }

    /// Checks that an address space can hold an allocation.
    ///
    /// @throws OutOfMemoryError if not; the message has both values
    public static void checkAddressable(long byteSize, long byteAlignment) {
        // Neither operand is negative, so that the subtraction cannot overflow, while the sum could.
        if (byteSize > ADDRESSABLE - byteAlignment) {
            throw new OutOfMemoryError("Allocation exceeds the address space: byteSize=" + byteSize + ", byteAlignment="
                    + byteAlignment + ", addressable=" + ADDRESSABLE);
        }
    }

    /// Checks that an alignment is not above the largest alignment of an arena.
    ///
    /// @throws IllegalArgumentException if it is; the message has the values and the remedy
    public static void checkAlignmentAtMost(long largest, long byteAlignment, String remedy) {
        if (byteAlignment > largest) {
            throw new IllegalArgumentException("Alignment too large: byteAlignment=" + byteAlignment + ", largest="
                    + largest + "; " + remedy);
        }
    }

    /// Whether the value is 1, 2, 4 ...
    public static boolean isPowerOfTwo(long value) {
        return value > 0 && (value & (value - 1)) == 0;
    }

    /// Returns the smallest multiple of the alignment, a power of two, that is not less than the value. The caller has
    /// checked that their sum does not overflow.
    public static long alignUp(long value, long byteAlignment) {
        return (value + byteAlignment - 1) & -byteAlignment;
    }

    /// Aligns the end of a type up, as [#alignUp] does, but checks for overflow.
    ///
    /// @throws IllegalArgumentException if the result would overflow
    public static long alignUpExact(long byteSize, long byteAlignment) {
        if (byteSize > Long.MAX_VALUE - byteAlignment + 1) {
            throw new IllegalArgumentException("Type is too large: byteSize=" + byteSize + ", byteAlignment="
                    + byteAlignment);
        }
        return alignUp(byteSize, byteAlignment);
    }

    /// Whether the value is the smallest multiple of the alignment that is not less than `end`.
    public static boolean isAlignedUp(long value, long end, long byteAlignment) {
        return value % byteAlignment == 0 && value >= end && value - end < byteAlignment;
    }

    /// Returns a size for people, such as `1.5 KiB`.
    public static String text(long byteSize) {
        double value = byteSize;
        int unit = 0;
        while (value >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f %s" : "%.1f %s", value, UNITS[unit]);
    }

    private static IllegalArgumentException badArguments(long byteSize, long byteAlignment) {
        return new IllegalArgumentException(byteSize < 0
                ? "Negative size: byteSize=" + byteSize + ", byteAlignment=" + byteAlignment
                : "Alignment is not a power of two: byteSize=" + byteSize + ", byteAlignment=" + byteAlignment);
    }
}
