package dev.arenakit.internal.freelist;

import dev.arenakit.internal.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

import static dev.arenakit.internal.freelist.SizeClasses.SLAB_BYTE_SIZE;
import static dev.arenakit.internal.freelist.SizeClasses.SLAB_SHIFT;

/// The free lists of an arena, over ranges from a source: 2 MiB each, or less if the source has no more. A range is
/// aligned to 2 MiB.
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
public final class RangeLists extends FreeLists {
    private static final int RANGE_SHIFT = 21;
    private static final long RANGE_BYTE_SIZE = 1L << RANGE_SHIFT;
    private static final long ALIGNMENTS = 64;
    private static final long INDEX = 32;
    private static final long HEADER_BYTE_SIZE = 96;
    private static final int SLABS_SHIFT = RANGE_SHIFT - SLAB_SHIFT;
    private static final int SLABS = 1 << SLABS_SHIFT;
    private static final long SMALLEST_BYTE_SIZE = 2 * SLAB_BYTE_SIZE;
    /// Pages of free slabs are given back to the system when they are more than a quarter of the used ones, and at
    /// least 4 MiB.
    private static final int MOST_TOUCHED = 64;

    /// The bits of a block's address that are the address of its range, and the bits of its offset in the range.
    private static final long RANGE_BITS = Memory.ADDRESS_BITS & -RANGE_BYTE_SIZE;
    private static final long OFFSET_BITS = RANGE_BYTE_SIZE - 1;
    /// An entry of a range that has been removed.
    private static final long REMOVED = 1;
    private static final int FIRST_LENGTH = 16;

    /// The addresses of the ranges, as a hash table with linear probing.
    private long[] directory;
    /// How many entries of the directory are not 0.
    private int entries;
    private final RangeProvider source;
    /// Whether ranges remain until the allocator is closed, as other threads may look at their tables.
    private final boolean keepsRanges;
    /// The addresses and the sizes of the ranges by index; an address of 0 has no range.
    private long[] addresses;
    private int[] byteSizes;
    private int ranges;
    /// All indexes before this one have a range.
    private int firstUnused;
    private long heldByteSize;

    /// Creates the free lists of an arena.
    ///
    /// @param view a segment in the scope of the arena
    public RangeLists(MemorySegment view, RangeProvider source, boolean shared, boolean atomic) {
        // Before the stacks take memory of the source, which nobody would give back if these did not fit into the heap.
        directory = new long[FIRST_LENGTH];
        addresses = new long[4];
        byteSizes = new int[4];
        super(new FreeSlabs(0), view, source, shared, atomic);
        this.source = source;
        keepsRanges = shared;
    }

    @Override
    boolean contains(long block) {
        long[] directory = this.directory;
        int slot = slotOf(block, directory);
        long range = block & -RANGE_BYTE_SIZE;
        return directory[slot] == range ? range != 0 : isInDirectory(directory, slot, range);
    }

    private static boolean isInDirectory(long[] directory, int first, long range) {
        int slot = first;
        while (directory[slot] != 0) {
            if (directory[slot] == range) {
                return true;
            }
            slot = (slot + 1) & (directory.length - 1);
        }
        return false;
    }

    private static int slotOf(long block, long[] directory) {
        return (int) (block >>> RANGE_SHIFT) & (directory.length - 1);
    }

    /// Makes room for another range.
    private void prepareRange() {
        if (2 * (entries + 1) >= directory.length) {
            int ranges = 0;
            for (long range : directory) {
                ranges += range == 0 || range == REMOVED ? 0 : 1;
            }
            long[] rebuilt = new long[ranges * 4 >= directory.length ? 2 * directory.length : directory.length];
            for (long range : directory) {
                if (range != 0 && range != REMOVED) {
                    insert(rebuilt, range);
                }
            }
            // A thread that sees the directory must also see the ranges in it.
            VarHandle.releaseFence();
            directory = rebuilt;
            entries = ranges;
        }
    }

    /// Adds a range, for which there is [room][#prepareRange].
    private void addRange(long range) {
        entries++;
        insert(directory, range);
    }

    private static void insert(long[] directory, long range) {
        int slot = slotOf(range, directory);
        while (directory[slot] != 0 && directory[slot] != REMOVED) {
            slot = (slot + 1) & (directory.length - 1);
        }
        directory[slot] = range;
    }

    private void removeRange(long range) {
        int slot = slotOf(range, directory);
        while (directory[slot] != range) {
            slot = (slot + 1) & (directory.length - 1);
        }
        directory[slot] = REMOVED;
    }

    @Override
    long lowBits(long block) {
        return block;
    }

    @Override
    long liveAddress(long block) {
        return (block & RANGE_BITS) + ((block & OFFSET_BITS) >>> GRANULE_SHIFT);
    }

    @Override
    long kindAddress(long block) {
        return (block & RANGE_BITS) + ((block & OFFSET_BITS) >>> SLAB_SHIFT);
    }

    @Override
    long alignmentAddress(long block) {
        return kindAddress(block) + ALIGNMENTS;
    }

    /// The number of slabs that the table of a range of slabs takes.
    private static int slabsOfTable(long slabs) {
        return (int) SizeClasses.slabsFor(slabs * LIVE_BYTES_PER_SLAB);
    }

    @Override
    long startOf(int slab) {
        return addresses[slab >>> SLABS_SHIFT] + ((slab & (SLABS - 1L)) << SLAB_SHIFT);
    }

    @Override
    int numberOf(long block) {
        int index = (int) INT.get(ALL, (block & -RANGE_BYTE_SIZE) + INDEX);
        return (index << SLABS_SHIFT) + (int) ((block & (RANGE_BYTE_SIZE - 1)) >>> SLAB_SHIFT);
    }

    @Override
    boolean grow(long slabs, long slabAlignment) {
        int index = prepare();
        for (long byteSize = RANGE_BYTE_SIZE; byteSize >= SMALLEST_BYTE_SIZE; byteSize /= 2) {
            int data = (int) (byteSize >>> SLAB_SHIFT);
            int table = slabsOfTable(data);
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
                addRange(range);
                runs.add((index << SLABS_SHIFT) + table, data - table);
                return true;
            }
        }
        return false;
    }

    /// Makes room for the data of another range, and returns its index.
    private int prepare() {
        prepareRange();
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
    void released(int slab) {
        int index = slab >>> SLABS_SHIFT;
        int data = byteSizes[index] >>> SLAB_SHIFT;
        int table = slabsOfTable(data);
        int first = (index << SLABS_SHIFT) + table;
        if (!keepsRanges && ranges > 1 && runs.areFree(first, data - table)) {
            long range = addresses[index];
            // In this order: an Error leaves the range to close(), and no block of it is allocated any more.
            runs.remove(first, data - table);
            removeRange(range);
            ranges--;
            heldByteSize -= byteSizes[index];
            addresses[index] = 0;
            firstUnused = Math.min(firstUnused, index);
            source.free(range, byteSizes[index], RANGE_BYTE_SIZE);
        } else if (source.canDiscard() && runs.touchedCount() > MOST_TOUCHED
                && runs.touchedCount() > runs.usedCount() / 4) {
            discard();
        }
    }

    private void discard() {
        for (int slab = runs.nextTouched(0); slab != FreeSlabs.NONE; slab = runs.nextTouched(slab)) {
            int end = runs.endOfTouched(slab, (slab | (SLABS - 1)) + 1);
            source.discard(startOf(slab), (long) (end - slab) << SLAB_SHIFT);
            runs.setUntouched(slab, end - slab);
        }
    }

    @Override
    long heldByteSize() {
        return heldByteSize;
    }

    @Override
    RuntimeException exhausted(long byteSize, long byteAlignment) {
        return source.full(Math.max(byteSize, SMALLEST_BYTE_SIZE), byteAlignment);
    }

    @Override
    void freeAll() {
        for (int index = 0; index < addresses.length; index++) {
            long range = addresses[index];
            addresses[index] = 0;
            if (range != 0) {
                source.free(range, byteSizes[index], RANGE_BYTE_SIZE);
            }
        }
    }
}
