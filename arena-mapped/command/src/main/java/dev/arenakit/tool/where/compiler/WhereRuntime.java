package dev.arenakit.tool.where.compiler;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// The layouts and methods that compiled predicates use to read fields, aligned or not.
final class WhereRuntime {
    static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfShort SHORT_LE = ValueLayout.JAVA_SHORT_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfShort SHORT_BE = ValueLayout.JAVA_SHORT_UNALIGNED
            .withOrder(ByteOrder.BIG_ENDIAN);
    static final ValueLayout.OfInt INT_LE = ValueLayout.JAVA_INT_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT_BE = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    static final ValueLayout.OfLong LONG_LE = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG_BE = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.BIG_ENDIAN);

    private WhereRuntime() {}

    /// Reads 1 to 8 bytes without a sign.
    static long unsigned(MemorySegment bytes, long at, int byteSize, boolean isBigEndian) {
        long value = 0;
        for (int i = 0; i < byteSize; i++) {
            int index = isBigEndian ? i : byteSize - 1 - i;
            value = value << Byte.SIZE | (bytes.get(BYTE, at + index) & 0xff);
        }
        return value;
    }

    static long bool(long stored) {
        return stored == 0 ? 0 : 1;
    }

    /// Compares a signed integer with an unsigned one.
    static int compareSignedUnsigned(long signed, long unsigned) {
        return signed < 0 ? -1 : Long.compareUnsigned(signed, unsigned);
    }

    /// The value of an unsigned integer, rounded.
    static double doubleOfUnsigned(long unsigned) {
        // The half keeps the lowest bit, so that it is rounded as the whole number would be.
        return unsigned >= 0 ? unsigned : (unsigned >>> 1 | (unsigned & 1)) * 2.0;
    }

    /// The number of valid elements of an array: all elements if the count is out of range.
    static long validLength(long count, long length) {
        return count < 0 ? length : Math.min(count, length);
    }

    static boolean isAmong(long[] sorted, long value) {
        return Arrays.binarySearch(sorted, value) >= 0;
    }
}
