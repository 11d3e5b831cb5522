package dev.arenakit.internal.freelist;

import java.util.Arrays;

import static dev.arenakit.internal.freelist.SizeClasses.SLAB_BYTE_SIZE;
import static dev.arenakit.internal.freelist.SizeClasses.SLAB_SHIFT;
import static dev.arenakit.internal.freelist.Tables.ALL;
import static dev.arenakit.internal.freelist.Tables.INT;
import static dev.arenakit.internal.freelist.Tables.LONG;

/// The slabs of ranges from a source: 2 MiB each, or less if the source has no more. A range is aligned to 2 MiB.
///
/// ```
///   range, of 32 slabs
///     0        kinds of 32 slabs
///     32       the index of the range, an int
///     64       alignments of 32 slabs
///     8 KiB    live bytes of 30 slabs
///     128 KiB  30 slabs of blocks
/// ```
///
/// The slabs of range n have the numbers from 32 n on. The slabs of its table are never free, so that no run of free
/// slabs belongs to two ranges.
final class RangeSpace implements Space {
    static final int RANGE_SHIFT = 21;
    static final long RANGE_BYTE_SIZE = 1L << RANGE_SHIFT;
    static final long ALIGNMENTS = 64;
    private static final long INDEX = 32;
    private static final long HEADER_BYTE_SIZE = 96;
    private static final int SLABS_SHIFT = RANGE_SHIFT - SLAB_SHIFT;
    private static final int SLABS = 1 << SLABS_SHIFT;
    private static final long SMALLEST_BYTE_SIZE = 2 * SLAB_BYTE_SIZE;
    /// Pages of free slabs are given back to the system when they are more than a quarter of the used ones, and at
    /// least 4 MiB.
    private static final int MOST_TOUCHED = 64;

    final Tables tables;
    final Runs runs = new Runs(0);
    private final Source source;
    /// Whether ranges remain until the allocator is closed, as other threads may look at their tables.
    private final boolean keepsRanges;
    /// The addresses and the sizes of the ranges by index; an address of 0 has no range.
    private long[] addresses = new long[4];
    private int[] byteSizes = new int[4];
    private int ranges;
    /// All indexes before this one have a range.
    private int firstUnused;
    private long heldByteSize;

    RangeSpace(Source source, boolean keepsRanges, boolean atomic) {
        this.source = source;
        this.keepsRanges = keepsRanges;
        tables = Tables.ofRanges(atomic);
    }

    @Override
    public long positionOf(int slab) {
        return addresses[slab >>> SLABS_SHIFT] + ((slab & (SLABS - 1L)) << SLAB_SHIFT);
    }

    @Override
    public int numberOf(long block) {
        int index = (int) INT.get(ALL, (block & -RANGE_BYTE_SIZE) + INDEX);
        return (index << SLABS_SHIFT) + (int) ((block & (RANGE_BYTE_SIZE - 1)) >>> SLAB_SHIFT);
    }

    @Override
    public boolean grow(long slabs, long slabAlignment) {
        int index = prepare();
        for (long byteSize = RANGE_BYTE_SIZE; byteSize >= SMALLEST_BYTE_SIZE; byteSize /= 2) {
            int data = (int) (byteSize >>> SLAB_SHIFT);
            int table = Tables.slabsOfTable(data);
            if (data - table < slabs) {
                return false;
            }
            long range = source.tryAllocate(byteSize, RANGE_BYTE_SIZE);
            if (range != 0) {
                byteSizes[index] = (int) byteSize;
                // From here on, an Error leaves the range to close().
                addresses[index] = range;
                heldByteSize += byteSize;
                ranges++;
                for (long i = 0; i < HEADER_BYTE_SIZE; i += Long.BYTES) {
                    LONG.set(ALL, range + i, 0L);
                }
                INT.set(ALL, range + INDEX, index);
                tables.addRange(range);
                runs.add((index << SLABS_SHIFT) + table, data - table);
                return true;
            }
        }
        return false;
    }

    /// Makes room for the data of another range, and returns its index.
    private int prepare() {
        tables.prepareRange();
        int index = firstUnused;
        while (index < addresses.length && addresses[index] != 0) {
            index++;
        }
        if (index == addresses.length) {
            int[] moreByteSizes = Arrays.copyOf(byteSizes, 2 * index);
            long[] moreAddresses = Arrays.copyOf(addresses, 2 * index);
            byteSizes = moreByteSizes;
            addresses = moreAddresses;
        }
        firstUnused = index;
        runs.prepare((index + 1) << SLABS_SHIFT);
        return index;
    }

    @Override
    public void released(int slab) {
        int index = slab >>> SLABS_SHIFT;
        int data = byteSizes[index] >>> SLAB_SHIFT;
        int table = Tables.slabsOfTable(data);
        int first = (index << SLABS_SHIFT) + table;
        if (!keepsRanges && ranges > 1 && runs.areFree(first, data - table)) {
            long range = addresses[index];
            tables.removeRange(range);
            runs.remove(first, data - table);
            ranges--;
            heldByteSize -= byteSizes[index];
            addresses[index] = 0;
            firstUnused = Math.min(firstUnused, index);
            source.free(range, byteSizes[index]);
        } else if (source.canDiscard() && runs.touchedCount() > MOST_TOUCHED
                && runs.touchedCount() > (runs.end() - runs.freeCount()) / 4) {
            discard();
        }
    }

    private void discard() {
        for (int slab = runs.nextTouched(0); slab != Runs.NONE; slab = runs.nextTouched(slab)) {
            int end = runs.endOfTouched(slab, (slab | (SLABS - 1)) + 1);
            source.discard(positionOf(slab), (long) (end - slab) << SLAB_SHIFT);
            runs.setUntouched(slab, end - slab);
        }
    }

    @Override
    public long heldByteSize() {
        return heldByteSize;
    }

    @Override
    public RuntimeException full(long byteSize, long byteAlignment) {
        return source.full(Math.max(byteSize, SMALLEST_BYTE_SIZE), byteAlignment);
    }

    @Override
    public void close() {
        for (int index = 0; index < addresses.length; index++) {
            long range = addresses[index];
            addresses[index] = 0;
            if (range != 0) {
                source.free(range, byteSizes[index]);
            }
        }
    }
}
