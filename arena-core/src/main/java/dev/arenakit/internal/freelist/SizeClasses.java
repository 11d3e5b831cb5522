package dev.arenakit.internal.freelist;

import dev.arenakit.internal.Sizes;

/// The size classes of blocks.
///
/// ```
///   1 ... 15   16, 24 ... 128            8 bytes apart
///  16 ... 23   144, 160 ... 256          16 bytes apart
///  24 ... 31   288, 320 ... 512          32 bytes apart
///   ...
///  80 ... 87   36 KiB, 40 KiB ... 64 KiB  4 KiB apart
/// ```
///
/// Above 128 bytes, each doubling has eight classes, where jemalloc has four (J. Evans, "A Scalable Concurrent
/// malloc(3) Implementation for FreeBSD", 2006): a block above 64 bytes is at most one eighth larger than its request.
///
/// A request with an alignment is rounded up to a multiple of the alignment. Its class is then a multiple of it, too,
/// and so is the distance of each block of the class from the start of its slab.
public final class SizeClasses {
    /// The kind of a slab that has no blocks; no class.
    public static final int NONE = 0;
    /// The kind of the first slab of a large block.
    static final int LARGE = 127;
    /// The number of kinds: a kind is an index that needs no check of bounds if it is masked.
    static final int KINDS = 128;
    /// The number of the last class.
    static final int LAST = 87;
    /// The largest class in bytes. Eight blocks of it are a slab of 512 KiB.
    public static final long LARGEST = 64 * 1024;
    /// The smallest class in bytes: two blocks never start in the same 16 bytes.
    static final long SMALLEST = 16;

    /// The unit of memory for blocks: 64 KiB.
    static final int SLAB_SHIFT = 16;
    static final long SLAB_BYTE_SIZE = 1 << SLAB_SHIFT;

    private static final int LINEAR_BITS = 6;
    private static final int STEPS_BITS = 3;
    /// The classes of sizes up to this one are listed: most blocks have such sizes.
    static final long LISTED = 1024;
    private static final int LISTED_SHIFT = 3;
    /// C2 knows that a `char` is not negative.
    private static final char[] CLASSES = new char[(int) (LISTED >>> LISTED_SHIFT)];
    /// The size of the blocks of each kind, 0 if there are no blocks.
    private static final long[] BYTE_SIZES = new long[KINDS];

    static {
        for (int c = 1; c <= LAST; c++) {
            int group = c >>> STEPS_BITS;
            int step = (c & 7) + 1;
            BYTE_SIZES[c] = group == 0 ? 8L * step : (8L + step) << (group + 2);
        }
        for (int i = 0; i < CLASSES.length; i++) {
            CLASSES[i] = (char) classOf((i + 1L) << LISTED_SHIFT);
        }
    }

    private SizeClasses() {}

    /// Whether a size is from 1 to [#LISTED].
    static boolean isListed(long byteSize) {
        return Long.compareUnsigned(byteSize - 1, LISTED) < 0;
    }

    /// The smallest class for a [listed][#isListed] size.
    static int listedClassOf(long byteSize) {
        return CLASSES[(int) (byteSize - 1) >>> LISTED_SHIFT & (CLASSES.length - 1)];
    }

    /// The smallest class for a size from 1 to [#LARGEST].
    static int classOf(long byteSize) {
        long last = byteSize - 1;
        int shift = 63 - STEPS_BITS - Long.numberOfLeadingZeros(last | (1 << LINEAR_BITS));
        return Math.max(1, ((shift - STEPS_BITS) << STEPS_BITS) + (int) (last >>> shift));
    }

    /// The smallest class for a block, or [#NONE] if the block is large.
    public static int classOf(long byteSize, long byteAlignment) {
        long rounded = Sizes.alignUp(byteSize, byteAlignment);
        if (isListed(rounded)) {
            return listedClassOf(rounded);
        }
        return byteSize > LARGEST || byteAlignment > LARGEST
                ? NONE
                : classOf(Sizes.alignUp(Math.max(byteSize, 1), byteAlignment)) & (KINDS - 1);
    }

    /// The size of the blocks of a kind, 0 if it is no class.
    static long byteSizeOf(int kind) {
        return BYTE_SIZES[kind & (KINDS - 1)];
    }

    /// The number of slabs that hold the blocks of a class: one up to 8 KiB, and otherwise the smallest power of two
    /// that holds eight blocks.
    static int slabsOf(int sizeClass) {
        long byteSize = BYTE_SIZES[sizeClass];
        return byteSize <= 8 * 1024 ? 1 : (int) (Long.highestOneBit(byteSize - 1) >>> 12);
    }

    /// The number of slabs of a large block.
    static long slabsFor(long byteSize) {
        return Math.max(1, (byteSize + SLAB_BYTE_SIZE - 1) >>> SLAB_SHIFT);
    }
}
