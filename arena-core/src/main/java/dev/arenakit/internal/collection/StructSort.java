package dev.arenakit.internal.collection;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Sorts structs by a number that is computed from each struct.
public final class StructSort {
    private static final int DIGIT_BITS = 8;
    private static final int DIGITS = 1 << DIGIT_BITS;

    /// Computes the number of a struct.
    @FunctionalInterface
    public interface Numbers {
        long numberAt(MemorySegment structs, long byteOffset);
    }

    private StructSort() {}

    /// Sorts structs. Structs with equal numbers keep their order.
    ///
    /// @param numbers the numbers to sort by, in unsigned order
    public static void sort(MemorySegment structs, long byteSize, long count, Numbers numbers) {
        /*
         * Radix sort: the pairs of a number and the position of its struct are sorted by digits of 8 bits, the lowest
         * digit first. A digit that is equal in all numbers takes no pass. Then each struct is copied to its place in a
         * second array, which is copied back as a whole, so that an earlier error changes nothing.
         */
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = arena.allocate(JAVA_LONG, Math.multiplyExact(2, count));
            MemorySegment to = arena.allocate(JAVA_LONG, 2 * count);
            long[][] counts = new long[Long.BYTES][DIGITS];
            for (long i = 0; i < count; i++) {
                long number = numbers.numberAt(structs, i * byteSize);
                from.setAtIndex(JAVA_LONG, 2 * i, number);
                from.setAtIndex(JAVA_LONG, 2 * i + 1, i);
                for (int digit = 0; digit < Long.BYTES; digit++) {
                    counts[digit][digitOf(number, digit)]++;
                }
            }
            for (int digit = 0; digit < Long.BYTES; digit++) {
                if (counts[digit][digitOf(from.getAtIndex(JAVA_LONG, 0), digit)] < count) {
                    distribute(from, to, count, digit, counts[digit]);
                    MemorySegment sorted = to;
                    to = from;
                    from = sorted;
                }
            }
            MemorySegment moved = arena.allocate(byteSize * count, 8);
            for (long i = 0; i < count; i++) {
                MemorySegment.copy(structs, from.getAtIndex(JAVA_LONG, 2 * i + 1) * byteSize, moved, i * byteSize,
                        byteSize);
            }
            MemorySegment.copy(moved, 0, structs, 0, byteSize * count);
        }
    }

    private static void distribute(MemorySegment from, MemorySegment to, long count, int digit, long[] counts) {
        long next = 0;
        for (int i = 0; i < DIGITS; i++) {
            long before = next;
            next += counts[i];
            counts[i] = before;
        }
        for (long i = 0; i < count; i++) {
            long number = from.getAtIndex(JAVA_LONG, 2 * i);
            long target = counts[digitOf(number, digit)]++;
            to.setAtIndex(JAVA_LONG, 2 * target, number);
            to.setAtIndex(JAVA_LONG, 2 * target + 1, from.getAtIndex(JAVA_LONG, 2 * i + 1));
        }
    }

    private static int digitOf(long number, int digit) {
        return (int) (number >>> (digit * DIGIT_BITS)) & (DIGITS - 1);
    }
}
