package dev.arenakit.internal.freelist;

import dev.arenakit.FreeListStatistics;
import dev.arenakit.internal.Sizes;
import java.util.ArrayList;
import java.util.List;

/// The size classes of a `OffsetAllocator`.
///
/// ```
///      8, 16, 24 ... 128      16 classes, 8 bytes apart
///    144, 160 ... 256          8 classes, 16 bytes apart
///    288, 320 ... 512          8 classes, 32 bytes apart
///    ...
///   36 KiB, 40 KiB ... 64 KiB  8 classes, 4 KiB apart
/// ```
///
/// Above 128 bytes, each doubling has eight classes, as in jemalloc there are four (J. Evans, "A Scalable Concurrent
/// malloc(3) Implementation for FreeBSD", 2006): a block above 64 bytes is at most one eighth larger than its request.
///
/// A request with an alignment is rounded up to a multiple of the alignment. Its class is then a multiple of it, too,
/// and so is the offset of each block of the class.
public final class SlabSizeClasses {
    /// The smallest class in bytes, to which all blocks are aligned.
    static final long LEAST = 8;
    /// The largest class in bytes. Eight blocks of it are a slab of 512 KiB.
    public static final long LARGEST = 64 * 1024;
    /// The number of classes.
    static final int COUNT = indexOf(LARGEST) + 1;

    private static final int LINEAR_BITS = 6;
    private static final int STEPS_BITS = 3;

    /// The classes of the sizes up to this one are listed: most blocks have such sizes.
    static final long LISTED = 1024;
    private static final int LISTED_SHIFT = 3;
    /// The offsets of the records of the classes. C2 knows that a `char` is not negative.
    private static final char[] RECORDS = new char[(int) (LISTED >>> LISTED_SHIFT)];

    static {
        for (int i = 0; i < RECORDS.length; i++) {
            RECORDS[i] = recordOf(indexOf((i + 1L) << LISTED_SHIFT));
        }
    }

    private SlabSizeClasses() {}

    /// Whether a block belongs to a size class.
    public static boolean isSmall(long byteSize, long byteAlignment) {
        return isListed(Sizes.alignUp(byteSize, byteAlignment) - 1)
                || (byteSize <= LARGEST && byteAlignment <= LARGEST);
    }

    /// Whether the class of a size is listed.
    ///
    /// @param last the size minus 1
    static boolean isListed(long last) {
        return Long.compareUnsigned(last, LISTED) < 0;
    }

    /// Returns the offset of the record of the smallest class for a size from 1 to [#LISTED].
    ///
    /// @param last the size minus 1
    static char listedRecordOf(long last) {
        return RECORDS[(int) (last >>> LISTED_SHIFT) & (RECORDS.length - 1)];
    }

    /// Returns the offset of the record of a class in the records of a heap.
    static char recordOf(int index) {
        return (char) (index << SlabHeapFormat.RECORD_SHIFT);
    }

    /// Returns the index of the smallest class for a size from 1 to [#LARGEST].
    static int indexOf(long byteSize) {
        long last = byteSize - 1;
        int shift = 63 - STEPS_BITS - Long.numberOfLeadingZeros(last | (1 << LINEAR_BITS));
        return ((shift - STEPS_BITS) << STEPS_BITS) + (int) (last >>> shift);
    }

    /// Returns the size of the blocks of a class.
    static long byteSize(int index) {
        int group = index >>> STEPS_BITS;
        int step = (index & 7) + 1;
        return group == 0 ? 8L * step : (8L + step) << (group + 2);
    }

    /// Returns the number of slabs of 64 KiB that hold the blocks of a class: one up to 8 KiB, and otherwise the
    /// smallest power of two that holds eight blocks.
    static long slabsOf(long byteSize) {
        return byteSize <= 8 * 1024 ? 1 : Long.highestOneBit(byteSize - 1) >>> 12;
    }

    /// Returns the statistics of an allocator.
    ///
    /// @param classes the number of live blocks of each class
    static FreeListStatistics statistics(long[] classes, long largeBlocks, long largeByteSize, long usedByteSize,
            long heldByteSize) {
        List<FreeListStatistics.SizeClass> sizeClasses = new ArrayList<>();
        long blocks = largeBlocks;
        long byteSize = largeByteSize;
        for (int i = 0; i < classes.length; i++) {
            if (classes[i] > 0) {
                long blockByteSize = byteSize(i);
                sizeClasses.add(new FreeListStatistics.SizeClass(blockByteSize, classes[i]));
                blocks += classes[i];
                byteSize += classes[i] * blockByteSize;
            }
        }
        return new FreeListStatistics(blocks, byteSize, usedByteSize, heldByteSize, sizeClasses);
    }
}
