package dev.arenakit.internal.freelist;

import dev.arenakit.internal.Memory;
import dev.arenakit.internal.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The tables of an allocator in native memory: what an address says about a block, in one load.
///
/// ```
///   live   a byte for each 16 bytes of memory   0: no live block starts here; 1: one does; 9: one starts 8 bytes later;
///                                               +64: its segment has the size 0
///   kind   a byte for each slab of 64 KiB       0: no blocks; a size class; or the first slab of a large block
///   align  a byte for each slab                 the binary logarithm of the largest alignment of its blocks
/// ```
///
/// A block is known by its position: in an arena, its address; in a segment, its distance from the slab before the
/// first one, so that no position is 0. The tables of an arena are at the start of each range of 2 MiB, in slabs that
/// have no blocks. The tables of a segment are in one piece. No block shares memory with a table.
final class Tables {
    static final VarHandle LONG = ValueLayout.JAVA_LONG_UNALIGNED.varHandle().withInvokeExactBehavior();
    static final VarHandle INT = ValueLayout.JAVA_INT.varHandle().withInvokeExactBehavior();
    static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle().withInvokeExactBehavior();
    static final MemorySegment ALL = Scopes.viewOf(Arena.global());

    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    /// Added to the live byte of a block whose segment has the size 0.
    static final int ZERO_LENGTH = 64;
    private static final int GRANULE_SHIFT = 4;
    private static final int LIVE_BYTES_PER_SLAB = 1 << (SizeClasses.SLAB_SHIFT - GRANULE_SHIFT);

    /// An entry of a range that has been removed.
    private static final long REMOVED = 1;
    private static final int FIRST_LENGTH = 16;
    /// The largest alignment that is not recorded: each block whose class is a multiple of 16 may have it.
    static final long LARGEST_UNRECORDED = 16;

    private final long live;
    private final long kinds;
    private final long alignments;
    private final long rangeMask;
    private final long offsetMask;
    /// The positions below this one are in the segment, 0 if there is no segment.
    private final long limit;
    /// The addresses of the ranges of an arena, as a hash table with linear probing.
    private long[] directory = new long[FIRST_LENGTH];
    /// How many entries of the directory are not 0.
    private int entries;
    /// Whether of two threads that free a block at the same time, one is refused.
    private final boolean atomic;

    private Tables(long live, long kinds, long alignments, long rangeMask, long limit, boolean atomic) {
        this.live = live;
        this.kinds = kinds;
        this.alignments = alignments;
        this.rangeMask = rangeMask;
        offsetMask = ~rangeMask;
        this.limit = limit;
        this.atomic = atomic;
    }

    /// The tables of a segment of slabs, in zeroed memory.
    static Tables ofSegment(long address, long slabs, boolean atomic) {
        long liveByteSize = slabs * LIVE_BYTES_PER_SLAB;
        return new Tables(address, address + liveByteSize, address + liveByteSize + slabs, 0,
                slabs << SizeClasses.SLAB_SHIFT, atomic);
    }

    /// The size of the tables of a segment.
    static long byteSizeFor(long slabs) {
        return slabs * (LIVE_BYTES_PER_SLAB + 2);
    }

    /// The tables of ranges. The bytes of the first slab, which has no blocks, contain the kinds and the alignments.
    static Tables ofRanges(boolean atomic) {
        return new Tables(0, 0, RangeSpace.ALIGNMENTS, -RangeSpace.RANGE_BYTE_SIZE, 0, atomic);
    }

    /// The number of slabs that the table of a range needs.
    static int slabsOfTable(long slabs) {
        return (int) SizeClasses.slabsFor(slabs * LIVE_BYTES_PER_SLAB);
    }

    /// Whether a position is in the memory for blocks, so that there are tables for it.
    boolean contains(long block) {
        return Long.compareUnsigned(block, limit) < 0 || isInRange(block);
    }

    private boolean isInRange(long block) {
        long[] directory = this.directory;
        int slot = slotOf(block, directory);
        long range = block & rangeMask;
        return directory[slot] == range ? range != 0 : isInRange(directory, slot, range);
    }

    private static boolean isInRange(long[] directory, int first, long range) {
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
        return (int) (block >>> RangeSpace.RANGE_SHIFT) & (directory.length - 1);
    }

    /// Makes room for another range.
    void prepareRange() {
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
            entries = ranges;
            // A thread that sees the directory must also see the ranges in it.
            VarHandle.releaseFence();
            directory = rebuilt;
        }
    }

    /// Adds a range, for which there is [room][#prepareRange].
    void addRange(long range) {
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

    void removeRange(long range) {
        int slot = slotOf(range, directory);
        while (directory[slot] != range) {
            slot = (slot + 1) & (directory.length - 1);
        }
        directory[slot] = REMOVED;
    }

    private long liveAddress(long block) {
        return (live + (block & rangeMask) + ((block & offsetMask) >>> GRANULE_SHIFT)) & Memory.ADDRESS_BITS;
    }

    private long kindAddress(long block) {
        return (kinds + (block & rangeMask) + ((block & offsetMask) >>> SizeClasses.SLAB_SHIFT)) & Memory.ADDRESS_BITS;
    }

    /// The kind of the slab that a block is in.
    int kindOf(long block) {
        return (byte) BYTE.get(ALL, kindAddress(block)) & (SizeClasses.KINDS - 1);
    }

    void setKind(long slab, int kind) {
        BYTE.set(ALL, kindAddress(slab), (byte) kind);
    }

    void clearAlignment(long slab) {
        BYTE.set(ALL, alignmentAddress(slab), (byte) 0);
    }

    private long alignmentAddress(long block) {
        return (alignments + (block & rangeMask) + ((block & offsetMask) >>> SizeClasses.SLAB_SHIFT))
                & Memory.ADDRESS_BITS;
    }

    /// Records the alignment of a block: when the block moves, it keeps the largest alignment of its slab.
    void recordAlignment(long block, long byteAlignment) {
        if (byteAlignment > LARGEST_UNRECORDED && byteAlignment > alignmentOf(block)) {
            BYTE.set(ALL, alignmentAddress(block), (byte) Long.numberOfTrailingZeros(byteAlignment));
        }
    }

    /// The largest alignment of the blocks of a slab that is recorded, or 1.
    long alignmentOf(long block) {
        return 1L << (byte) BYTE.get(ALL, alignmentAddress(block));
    }

    /// The live byte of a block, without the part for the size 0.
    private static byte mark(long block) {
        return (byte) ((block & 15) + 1);
    }

    /// Whether a live block of any size, or of the size 0, starts at a position.
    boolean isLive(long block, boolean zeroLength) {
        return (byte) BYTE.get(ALL, liveAddress(block)) == mark(block) + (zeroLength ? ZERO_LENGTH : 0);
    }

    void setLive(long block) {
        BYTE.set(ALL, liveAddress(block), mark(block));
    }

    void setLive(long block, boolean zeroLength) {
        BYTE.set(ALL, liveAddress(block), (byte) (mark(block) + (zeroLength ? ZERO_LENGTH : 0)));
    }

    void clearLive(long block) {
        BYTE.set(ALL, liveAddress(block), (byte) 0);
    }

    /// Ends the life of a block.
    ///
    /// @return whether it was live
    boolean end(long block, boolean zeroLength) {
        if (atomic) {
            return endAtomically(block, zeroLength);
        }
        boolean live = isLive(block, zeroLength);
        if (live) {
            clearLive(block);
        }
        return live;
    }

    /// Clears the live byte in the four bytes around it: there are no atomic operations of bytes.
    private boolean endAtomically(long block, boolean zeroLength) {
        long address = liveAddress(block);
        int shift = (int) (LITTLE_ENDIAN ? address & 3 : 3 - (address & 3)) << 3;
        int expected = mark(block) + (zeroLength ? ZERO_LENGTH : 0);
        while (true) {
            int before = (int) INT.getVolatile(ALL, address & ~3L);
            if ((before >>> shift & 0xFF) != expected) {
                return false;
            }
            if (INT.compareAndSet(ALL, address & ~3L, before, before & ~(0xFF << shift))) {
                return true;
            }
        }
    }

    boolean isAtomic() {
        return atomic;
    }

    /// Makes the tables of slabs say that there are no live blocks. Memory from malloc has any content.
    void clearLive(long slab, int slabs) {
        long address = liveAddress(slab);
        for (long i = 0; i < (long) slabs * LIVE_BYTES_PER_SLAB; i += Long.BYTES) {
            LONG.set(ALL, (address + i) & Memory.ADDRESS_BITS, 0L);
        }
    }
}
