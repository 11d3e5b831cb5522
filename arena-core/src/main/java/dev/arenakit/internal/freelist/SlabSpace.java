package dev.arenakit.internal.freelist;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.Scopes;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.internal.freelist.SlabHeapFormat.DESCRIPTOR;
import static dev.arenakit.internal.freelist.SlabHeapFormat.DISTANCE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.FREE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.KIND;
import static dev.arenakit.internal.freelist.SlabHeapFormat.LENGTH;
import static dev.arenakit.internal.freelist.SlabHeapFormat.RECORDS_BYTE_SIZE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.RESERVED;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SLAB;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SLAB_BYTE_SIZE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SLAB_SHIFT;
import static dev.arenakit.internal.freelist.SlabHeapFormat.get;
import static dev.arenakit.internal.freelist.SlabHeapFormat.put;
import static dev.arenakit.internal.freelist.SlabHeapFormat.reference;
import static dev.arenakit.internal.freelist.SlabWords.MOST_BYTE_SIZE;

/// The slabs of an allocator with their descriptors: the slabs of one segment, or of ranges from a source.
///
/// Not thread-safe, except for [#descriptorOf]: the caller holds the lock of the allocator, if it has one.
public final class SlabSpace {
    /*
     * For a segment, there is a table of descriptors for all its slabs, then the records of heaps, and then the words
     * of the blocks of each slab. A descriptor is initialized when it is first needed. This data is in memory of its
     * own, which is freed after the allocator has become unreachable: so it can be read and written without the checks
     * of a scope, whoever closes the arena of the segment, and whenever.
     *
     * A range is aligned to its size. The same data is in its first slabs, which hold no blocks. There are records of
     * few heaps in a range: the source is asked for memory for more.
     *
     * No part of this memory ever belongs to a block, so that a store through an old segment does not change it.
     *
     * The table has a descriptor of a reserved slab before the first slab for blocks, and another after the last slab:
     * runs end there.
     */
    private static final int RANGE_SHIFT = 21;
    private static final long RANGE_SLABS = 1L << (RANGE_SHIFT - SLAB_SHIFT);
    private static final long RANGE_MASK = -1L << RANGE_SHIFT;
    /// How many slabs at the start of a range hold its data.
    private static final long RANGE_DATA_SLABS = 2;
    private static final long RANGE_BLOCK_SLABS = RANGE_SLABS - RANGE_DATA_SLABS;
    /// Behind the table of a range, before the records.
    private static final long RANGE_WORDS = (RANGE_SLABS + 1) * DESCRIPTOR;
    private static final long RANGE_RECORDS = RANGE_WORDS + RANGE_BLOCK_SLABS * MOST_BYTE_SIZE;
    /// The part of a segment that holds the records of the heaps of threads, as a shift of its size.
    private static final int RECORDS_SHIFT = 6;
    private static final long MOST_RECORDS = 1L << 25;
    /// How many descriptors of a segment are initialized at a time.
    private static final long STEP = 16;
    /// A cache line.
    private static final long TABLE_ALIGNMENT = 64;
    private static final int FIRST_DIRECTORY_LENGTH = 16;

    final MemorySegment view;
    /// The data of a segment, which is freed when this object is unreachable, or null.
    @SuppressWarnings("unused")
    private final @Nullable MemorySegment data;
    final SlabRuns runs = new SlabRuns();
    /// The source of ranges, or null if a segment has the slabs.
    private final @Nullable SlabSource source;
    /// Whether ranges remain until the allocator is closed, as other threads may look at their descriptors.
    private final boolean keepsRanges;
    /// The address of the first slab of a segment, or 0.
    private final long origin;
    private final long rangeMask;
    /// The offset of the descriptor of the first slab from its range.
    private final long table;
    /// The offset of the words of the first slab from its range.
    private final long words;
    private final long mostSlabs;
    /// The end of the slabs whose descriptors are initialized, relative to the origin.
    private long limit;
    /// The addresses of all ranges, as a hash table with linear probing.
    private long[] directory = new long[0];
    private long ranges;
    /// Whether a range is being removed. If an Error interrupts that, the directory may have a range twice.
    private boolean removing;
    private final SlabRecords records;

    /// Creates the slabs of a segment.
    ///
    /// @param shared whether there are heaps of threads
    public SlabSpace(MemorySegment segment, boolean shared) {
        view = segment;
        source = null;
        keepsRanges = true;
        rangeMask = 0;
        // No block has the offset 0.
        origin = Sizes.alignUp(segment.address() + 1, SLAB_BYTE_SIZE);
        mostSlabs = (segment.byteSize() - (origin - segment.address())) >> SLAB_SHIFT;
        if (mostSlabs < 1) {
            throw new IllegalArgumentException("Segment is too small: byteSize=" + segment.byteSize()
                    + ", smallest=" + 2 * SLAB_BYTE_SIZE);
        }
        long recordsByteSize = RECORDS_BYTE_SIZE
                + (shared ? Math.min(segment.byteSize() >>> RECORDS_SHIFT, MOST_RECORDS) : 0);
        long tableByteSize = Sizes.alignUp((mostSlabs + 2) * DESCRIPTOR, TABLE_ALIGNMENT);
        long wordsOffset = Sizes.alignUp(tableByteSize + recordsByteSize, TABLE_ALIGNMENT);
        MemorySegment data = SlabSource.collected(wordsOffset + mostSlabs * MOST_BYTE_SIZE, TABLE_ALIGNMENT);
        this.data = data;
        table = data.address() + DESCRIPTOR;
        records = new SlabRecords(null);
        records.add(data.address() + tableByteSize, recordsByteSize);
        words = data.address() + wordsOffset;
        reserve(table - DESCRIPTOR);
        reserve(table);
    }

    /// Creates a space without ranges.
    public SlabSpace(MemorySegment view, SlabSource source, boolean keepsRanges) {
        this.view = view;
        data = null;
        this.source = source;
        records = new SlabRecords(source);
        this.keepsRanges = keepsRanges;
        rangeMask = RANGE_MASK;
        origin = 0;
        table = 0;
        words = RANGE_WORDS - RANGE_DATA_SLABS * MOST_BYTE_SIZE;
        mostSlabs = 0;
        limit = Long.MAX_VALUE;
        directory = new long[FIRST_DIRECTORY_LENGTH];
    }

    /// Checks that the memory may be accessed by this thread.
    void checkOpen() {
        Scopes.checkOpen(view);
    }

    /// Returns the descriptor of the slab that an address is in, or 0 if it is in none. No memory is read that is not
    /// of this allocator.
    long descriptorOf(long address) {
        long relative = address - origin;
        if (Long.compareUnsigned(relative, limit) >= 0) {
            return 0;
        }
        if (rangeMask == 0) {
            return reference(table + (relative >>> SLAB_SHIFT) * DESCRIPTOR);
        }
        long range = relative & RANGE_MASK;
        return range == 0 || !isRange(range) ? 0 : reference(range + ((relative - range) >>> SLAB_SHIFT) * DESCRIPTOR);
    }

    /// The address of the first slab of the range that an address is in, or of the segment.
    long startOf(long address) {
        return source == null ? origin : address & RANGE_MASK;
    }

    /// The number of bytes of a range, or of the slabs of a segment until now.
    long length() {
        return source == null ? limit : 1L << RANGE_SHIFT;
    }

    /// The descriptor of the first slab of a range, or of the segment.
    long tableOf(long start) {
        return source == null ? table : start;
    }

    /// Returns the address of memory for the words of a slab, however small its blocks are.
    long wordsOf(long slabAddress) {
        long relative = slabAddress - origin;
        long range = relative & rangeMask;
        return words + range + ((relative - range) >>> SLAB_SHIFT) * MOST_BYTE_SIZE;
    }

    /// Whether there is a free run of slabs, so that none needs to be added.
    boolean hasRun(long slabs) {
        return runs.find(slabs, SLAB_BYTE_SIZE) != 0;
    }

    /// Takes a run of slabs.
    ///
    /// @return the descriptor of its first slab
    long take(long slabs) {
        return take(slabs, SLAB_BYTE_SIZE);
    }

    /// Takes a run of slabs whose address is aligned to a slab or more.
    ///
    /// @return the descriptor of its first slab
    long take(long slabs, long byteAlignment) {
        long run = runs.find(slabs, byteAlignment);
        while (run == 0) {
            grow(slabs, byteAlignment);
            run = runs.find(slabs, byteAlignment);
        }
        long aligned = run + SlabRuns.slabsBefore(get(run + SLAB), byteAlignment) * DESCRIPTOR;
        runs.takeAt(run, aligned, slabs);
        return aligned;
    }

    /// Gives back a run of slabs, and the range whose last blocks it had.
    void giveBack(long run) {
        if (runs.isInterrupted()) {
            // The slabs stay reserved. An exception would say that the caller's block is not free.
            return;
        }
        long first = runs.add(run, get(run + LENGTH));
        if (!keepsRanges && !removing && get(first + LENGTH) == RANGE_BLOCK_SLABS && ranges > 1) {
            long range = first & RANGE_MASK;
            if (!records.isIn(RANGE_MASK, range)) {
                runs.remove(first);
                removing = true;
                removeRange(range);
                removing = false;
                ranges--;
                owner().free(range, 1L << RANGE_SHIFT);
            }
        }
    }

    /// Returns memory for the records of a heap. Until [#useRecords] is called, further calls return the same memory.
    ///
    /// @return its address, or 0 if the part of the segment for records is used up
    /// @throws CapacityExceededException if the source is full
    long prepareRecords() {
        if (!records.hasNext()) {
            if (source != null && !hasRun(1)) {
                // A heap needs a slab soon.
                growRanges(source);
            } else if (!records.addChunk()) {
                return 0;
            }
        }
        return records.prepare();
    }

    /// Allocates the memory that was prepared. It is never freed.
    void useRecords() {
        records.use();
    }

    /// Frees all ranges. The scope of the view has ended, and the memory is read through no view.
    public void close() {
        if (source != null) {
            for (int i = 0; i < directory.length; i++) {
                long range = directory[i];
                directory[i] = 0;
                if (range != 0 && !(removing && isInDirectory(range))) {
                    source.free(range, 1L << RANGE_SHIFT);
                }
            }
            records.close();
            source.close();
        }
    }

    /// The size of the slabs, used and free, and of the chunks of records from the source. Slabs of a segment count
    /// from their first use.
    long heldByteSize() {
        return source == null ? limit : (ranges << RANGE_SHIFT) + records.chunkByteSize();
    }

    /// Passes the descriptor of each slab to a visitor.
    void forEach(Visitor visitor) {
        if (source == null) {
            forEach(visitor, table, limit >>> SLAB_SHIFT);
        } else {
            for (long range : directory) {
                if (range != 0) {
                    forEach(visitor, range + RANGE_DATA_SLABS * DESCRIPTOR, RANGE_BLOCK_SLABS);
                }
            }
        }
    }

    private static void forEach(Visitor visitor, long first, long slabs) {
        for (long i = 0; i < slabs; i++) {
            visitor.visit(first + i * DESCRIPTOR);
        }
    }

    /// A visitor of slabs.
    interface Visitor {
        void visit(long descriptor);
    }

    private void grow(long slabs, long byteAlignment) {
        if (source == null) {
            growSegment(slabs, byteAlignment);
        } else {
            growRanges(source);
        }
    }

    private void growSegment(long slabs, long byteAlignment) {
        long used = limit >>> SLAB_SHIFT;
        // The last slabs may be free already.
        long last = table + (used - 1) * DESCRIPTOR;
        long free = get(last + KIND) == FREE ? get(last + DISTANCE) + 1 : 0;
        long needed = SlabRuns.slabsBefore(origin + ((used - free) << SLAB_SHIFT), byteAlignment) + slabs;
        long added = Math.min(Math.max(needed - free, STEP), mostSlabs - used);
        if (free + added < needed) {
            throw new CapacityExceededException("Segment is full", mostSlabs << SLAB_SHIFT,
                    (used - runs.freeSlabs()) << SLAB_SHIFT, slabs << SLAB_SHIFT,
                    "free blocks, or pass a larger segment");
        }
        for (long i = 1; i <= added; i++) {
            long descriptor = table + (used + i) * DESCRIPTOR;
            reserve(descriptor);
        }
        for (long i = 0; i < added; i++) {
            put(table + (used + i) * DESCRIPTOR + SLAB, origin + ((used + i) << SLAB_SHIFT));
        }
        limit = (used + added) << SLAB_SHIFT;
        runs.add(table + used * DESCRIPTOR, added);
    }

    private void growRanges(SlabSource source) {
        if (ranges * 2 >= directory.length) {
            growDirectory();
        }
        long range = source.allocate(1L << RANGE_SHIFT, 1L << RANGE_SHIFT);
        try {
            for (long i = 0; i <= RANGE_SLABS; i++) {
                reserve(range + i * DESCRIPTOR);
                put(range + i * DESCRIPTOR + SLAB, range + (i << SLAB_SHIFT));
            }
        } catch (Throwable t) {
            source.free(range, 1L << RANGE_SHIFT);
            throw t;
        }
        insert(directory, range);
        ranges++;
        records.add(range + RANGE_RECORDS, RANGE_DATA_SLABS * SLAB_BYTE_SIZE - RANGE_RECORDS);
        runs.add(range + RANGE_DATA_SLABS * DESCRIPTOR, RANGE_BLOCK_SLABS);
    }

    private void reserve(long descriptor) {
        for (long i = 0; i < DESCRIPTOR; i += Long.BYTES) {
            put(descriptor + i, 0);
        }
        put(descriptor + KIND, RESERVED);
    }

    private SlabSource owner() {
        if (source == null) {
            throw new AssertionError("No source");
        }
        return source;
    }

    private boolean isRange(long range) {
        long[] directory = this.directory;
        int slot = slotOf(range, directory.length);
        return directory[slot] == range || isRange(directory, slot, range);
    }

    private static boolean isRange(long[] directory, int first, long range) {
        int slot = first;
        while (directory[slot] != range) {
            if (directory[slot] == 0) {
                return false;
            }
            slot = (slot + 1) & (directory.length - 1);
        }
        return true;
    }

    /// Whether a range is in any slot: if an Error has interrupted the removal of a range, one may be in two.
    private boolean isInDirectory(long range) {
        for (long other : directory) {
            if (other == range) {
                return true;
            }
        }
        return false;
    }

    private void growDirectory() {
        long[] larger = new long[2 * directory.length];
        for (long range : directory) {
            if (range != 0) {
                insert(larger, range);
            }
        }
        VarHandle.releaseFence();
        directory = larger;
    }

    private static void insert(long[] directory, long range) {
        int slot = slotOf(range, directory.length);
        while (directory[slot] != 0) {
            slot = (slot + 1) & (directory.length - 1);
        }
        directory[slot] = range;
    }

    private void removeRange(long range) {
        int mask = directory.length - 1;
        int gap = slotOf(range, directory.length);
        while (directory[gap] != range) {
            gap = (gap + 1) & mask;
        }
        for (int slot = (gap + 1) & mask; directory[slot] != 0; slot = (slot + 1) & mask) {
            int home = slotOf(directory[slot], directory.length);
            if (((slot - home) & mask) >= ((slot - gap) & mask)) {
                directory[gap] = directory[slot];
                gap = slot;
            }
        }
        directory[gap] = 0;
    }

    private static int slotOf(long range, int length) {
        return (int) (range >>> RANGE_SHIFT) & (length - 1);
    }
}
