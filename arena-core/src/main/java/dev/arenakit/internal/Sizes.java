package dev.arenakit.internal;

/// Overflow-safe arithmetic on sizes and alignments, in bytes.
///
/// The order of an allocation's checks is the JDK's: arguments, then thread and liveness ([Scopes#checkOpen]), then
/// memory. [#checkArguments] is the first step and [#checkAddressable] opens the last. Once both have passed, a size, an
/// alignment and an address may be added up without a further look: no sum comes near 2^63.
public final class Sizes {
    /// The size of user space on x86-64. On aarch64 it is 2^48 with the usual page tables; the limit is the same on both.
    public static final long ADDRESSABLE = 1L << 47;

    private Sizes() {}

    /// Refuses a negative size and an alignment that is not a power of two.
    ///
    /// @throws IllegalArgumentException with both values
    public static void checkArguments(long byteSize, long byteAlignment) {
        if (byteSize < 0 || !isPowerOfTwo(byteAlignment)) {
            throw badArguments(byteSize, byteAlignment);
        }
    }

    /// Refuses what no address space holds, however it is served.
    ///
    /// @throws OutOfMemoryError with both values
    public static void checkAddressable(long byteSize, long byteAlignment) {
        // Both operands are at most 2^63 - 1 and not negative, so that the subtraction cannot wrap where the sum would.
        if (byteSize > ADDRESSABLE - byteAlignment) {
            throw new OutOfMemoryError("Allocation exceeds the address space: byteSize=" + byteSize + ", byteAlignment="
                    + byteAlignment + ", addressable=" + ADDRESSABLE);
        }
    }

    /// Refuses an alignment above the largest that an arena promises.
    ///
    /// @throws IllegalArgumentException with the values and the remedy
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

    /// The smallest multiple of the alignment, a power of two, that is not below the value. The caller has checked that
    /// their sum does not overflow.
    public static long alignUp(long value, long byteAlignment) {
        return (value + byteAlignment - 1) & -byteAlignment;
    }

    private static IllegalArgumentException badArguments(long byteSize, long byteAlignment) {
        return new IllegalArgumentException(byteSize < 0
                ? "Negative size: byteSize=" + byteSize + ", byteAlignment=" + byteAlignment
                : "Alignment is not a power of two: byteSize=" + byteSize + ", byteAlignment=" + byteAlignment);
    }
}
