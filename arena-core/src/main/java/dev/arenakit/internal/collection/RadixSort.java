package dev.arenakit.internal.collection;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Sorts longs, doubles and ints in memory.
public final class RadixSort {
    /*
     * Radix sort from the least significant digit (H. H. Seward, 1954; D. E. Knuth, The Art of Computer Programming,
     * volume 3, 5.2.5), with digits of 8 bits below the highest bit that differs. Each digit takes one pass, from the
     * memory to a copy of the same size or back.
     *
     * At first, the sort uses only as many digits as distinguish most elements if they are random, and insertion puts
     * the remaining elements in order (M. D. MacLaren, "Internal sorting by radix plus sifting", JACM 13, 1966). If the
     * insertion has to move too much, the sort uses all digits.
     *
     * Short sequences are sorted by insertion. If there is no memory for the copy, a heap sort (J. W. J. Williams,
     * 1964) sorts in place.
     */
    public enum Type {
        LONG(Long.BYTES, 0), DOUBLE(Long.BYTES, -1), INT(Integer.BYTES, 0);

        public final int byteSize;
        /// All bits for doubles, because negative doubles are in the reverse order of their bits; 0 for integers.
        final long negativeMask;

        Type(int byteSize, long negativeMask) {
            this.byteSize = byteSize;
            this.negativeMask = negativeMask;
        }
    }

    private static final int DIGITS = 256;
    private static final long DIGIT_MASK = DIGITS - 1;
    private static final long INT_MASK = 0xFFFF_FFFFL;
    private static final long NEGATIVE_INFINITY = Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY);
    /// The digits cover this many bits more than the number of elements has. With random elements, insertion then
    /// moves about 3 percent of them.
    private static final int SPARE_BITS = 3;
    /// Below this size, counting alone takes longer than insertion.
    private static final long MIN_RADIX_SIZE = 64;

    private final MemorySegment segment;
    private final long size;
    private final boolean isInt;
    private final long negativeMask;

    private RadixSort(MemorySegment segment, long size, Type type) {
        this.segment = segment;
        this.size = size;
        isInt = type == Type.INT;
        negativeMask = type.negativeMask;
    }

    public static void sort(MemorySegment segment, long size, Type type) {
        RadixSort sort = new RadixSort(segment, size, type);
        if (size < MIN_RADIX_SIZE) {
            sort.insertionSort(Long.MAX_VALUE);
            return;
        }
        int bits = sort.differentBits();
        if (bits == 0) {
            return;
        }
        // The copy is not in the memory of the list, where it might remain until the end of a longer lifetime.
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy;
            long[][] counts;
            try {
                copy = arena.allocate(size * type.byteSize, type.byteSize);
                counts = new long[Long.BYTES][DIGITS];
            } catch (OutOfMemoryError e) {
                sort.heapSort();
                return;
            }
            int enough = Long.SIZE - Long.numberOfLeadingZeros(size) + SPARE_BITS;
            sort.radixSort(copy, counts, bits, Math.min(bits, enough));
            if (bits > enough && !sort.insertionSort(size)) {
                sort.radixSort(copy, counts, bits, bits);
            }
        }
    }

    /// Sorts without additional memory.
    static void heapSort(MemorySegment segment, long size, Type type) {
        new RadixSort(segment, size, type).heapSort();
    }

    private void heapSort() {
        for (long root = size / 2 - 1; root >= 0; root--) {
            sift(root, size);
        }
        for (long end = size - 1; end > 0; end--) {
            long largest = get(segment, 0);
            set(segment, 0, get(segment, end));
            set(segment, end, largest);
            sift(0, end);
        }
    }

    /// Returns the number of low bits that contain all differences between elements, or 0 if the elements are in order.
    private int differentBits() {
        long previous = ordered(get(segment, 0));
        long different = 0;
        boolean isSorted = true;
        for (long i = 1; i < size; i++) {
            long bits = ordered(get(segment, i));
            different |= bits ^ previous;
            isSorted &= Long.compareUnsigned(previous, bits) <= 0;
            previous = bits;
        }
        return isSorted ? 0 : Long.SIZE - Long.numberOfLeadingZeros(different);
    }

    /// Sorts by the highest digits.
    ///
    /// @param bits       the number of bits that differ
    /// @param sortedBits the least number of these bits that the digits contain
    private void radixSort(MemorySegment copy, long[][] counts, int bits, int sortedBits) {
        int digits = (sortedBits + Byte.SIZE - 1) / Byte.SIZE;
        int firstShift = Math.max(bits - digits * Byte.SIZE, 0);
        count(counts, digits, firstShift);
        MemorySegment from = segment;
        MemorySegment to = copy;
        boolean isInCopy = false;
        for (int digit = 0; digit < digits; digit++) {
            if (toOffsets(counts[digit])) {
                if (isInt) {
                    moveInts(from, to, firstShift + digit * Byte.SIZE, counts[digit]);
                } else {
                    moveLongs(from, to, firstShift + digit * Byte.SIZE, counts[digit]);
                }
                MemorySegment other = from;
                from = to;
                to = other;
                isInCopy = !isInCopy;
            }
        }
        if (isInCopy) {
            MemorySegment.copy(copy, 0, segment, 0, copy.byteSize());
        }
    }

    private void count(long[][] counts, int digits, int firstShift) {
        for (int digit = 0; digit < digits; digit++) {
            Arrays.fill(counts[digit], 0);
        }
        for (long i = 0; i < size; i++) {
            long bits = ordered(get(segment, i)) >>> firstShift;
            for (int digit = 0; digit < digits; digit++) {
                counts[digit][(int) (bits & DIGIT_MASK)]++;
                bits >>>= Byte.SIZE;
            }
        }
    }

    /// Replaces the count of each digit with the index of its first element.
    ///
    /// @return whether the elements have different digits
    private boolean toOffsets(long[] counts) {
        long offset = 0;
        boolean areSeveral = false;
        for (int i = 0; i < DIGITS; i++) {
            long count = counts[i];
            areSeveral |= count != 0 && count != size;
            counts[i] = offset;
            offset += count;
        }
        return areSeveral;
    }

    private void moveLongs(MemorySegment from, MemorySegment to, int shift, long[] offsets) {
        for (long i = 0; i < size; i++) {
            long bits = from.getAtIndex(JAVA_LONG, i);
            to.setAtIndex(JAVA_LONG, offsets[(int) ((ordered(bits) >>> shift) & DIGIT_MASK)]++, bits);
        }
    }

    private void moveInts(MemorySegment from, MemorySegment to, int shift, long[] offsets) {
        for (long i = 0; i < size; i++) {
            int bits = from.getAtIndex(JAVA_INT, i);
            to.setAtIndex(JAVA_INT, offsets[((bits ^ Integer.MIN_VALUE) >>> shift) & (int) DIGIT_MASK]++, bits);
        }
    }

    /// Sorts by insertion.
    ///
    /// @return whether the given number of moves was enough; otherwise, only some elements are sorted
    private boolean insertionSort(long maxMoves) {
        long moves = 0;
        for (long i = 1; i < size && moves <= maxMoves; i++) {
            long inserted = get(segment, i);
            long at = i;
            while (at > 0 && isLess(inserted, get(segment, at - 1))) {
                set(segment, at, get(segment, at - 1));
                at--;
            }
            if (at < i) {
                set(segment, at, inserted);
                moves += i - at;
            }
        }
        return moves <= maxMoves;
    }

    private void sift(long root, long end) {
        long sifted = get(segment, root);
        long at = root;
        for (long child = 2 * at + 1; child < end; child = 2 * at + 1) {
            if (child + 1 < end && isLess(get(segment, child), get(segment, child + 1))) {
                child++;
            }
            if (!isLess(sifted, get(segment, child))) {
                break;
            }
            set(segment, at, get(segment, child));
            at = child;
        }
        set(segment, at, sifted);
    }

    private boolean isLess(long bits, long other) {
        return Long.compareUnsigned(ordered(bits), ordered(other)) < 0;
    }

    /// Returns bits whose order as unsigned numbers is the order of the elements.
    private long ordered(long bits) {
        if (isInt) {
            return bits ^ (Integer.MIN_VALUE & INT_MASK);
        }
        long ofDouble = bits & negativeMask;
        if (ofDouble < 0 && ofDouble > NEGATIVE_INFINITY) {
            // Double.compare orders all NaNs last, including NaNs with a sign.
            return -1;
        }
        return bits ^ ((ofDouble >> (Long.SIZE - 1)) | Long.MIN_VALUE);
    }

    private long get(MemorySegment from, long index) {
        return isInt ? from.getAtIndex(JAVA_INT, index) & INT_MASK : from.getAtIndex(JAVA_LONG, index);
    }

    private void set(MemorySegment to, long index, long bits) {
        if (isInt) {
            to.setAtIndex(JAVA_INT, index, (int) bits);
        } else {
            to.setAtIndex(JAVA_LONG, index, bits);
        }
    }
}
