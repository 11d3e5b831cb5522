package dev.arenakit.internal.freelist;

import dev.arenakit.internal.Memory;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

import static dev.arenakit.internal.freelist.SizeClasses.SLAB_SHIFT;

/// The memory of an allocator, as slabs with numbers, and what tables in native memory say about each block.
///
/// ```
///   live   a byte for each 16 bytes of memory   0: no live block starts here; 1: one does; 9: one starts 8 bytes later;
///                                               +64: its segment has the size 0
///   kind   a byte for each slab of 64 KiB       0: no blocks; a size class; or the first slab of a large block
///   align  a byte for each slab                 the binary logarithm of the largest alignment of its blocks
/// ```
///
/// A block is known by its address in an arena, and by its offset in a segment, which is never 0. No block shares memory
/// with a table.
abstract class BlockTables {
    static final VarHandle LONG = ValueLayout.JAVA_LONG_UNALIGNED.varHandle().withInvokeExactBehavior();
    static final VarHandle INT = ValueLayout.JAVA_INT_UNALIGNED.varHandle().withInvokeExactBehavior();
    static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle().withInvokeExactBehavior();
    static final MemorySegment ALL = Scopes.viewOf(Arena.global());

    /// An address in a field is shifted by this: if it is shifted back, C2 knows that it is not negative, and omits a
    /// check of bounds.
    static final int UNSIGNED = 8;

    /// There are atomic operations at aligned addresses only.
    private static final VarHandle ATOMIC = ValueLayout.JAVA_INT.varHandle().withInvokeExactBehavior();
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    /// Added to the live byte of a block whose segment has the size 0.
    static final int ZERO_LENGTH = 64;
    static final int GRANULE_SHIFT = 4;
    static final int LIVE_BYTES_PER_SLAB = 1 << (SLAB_SHIFT - GRANULE_SHIFT);
    /// The largest alignment that is not recorded: each block whose class is a multiple of 16 may have it.
    static final long LARGEST_UNRECORDED = 16;

    /// The free slabs. Methods that use it are called with the lock held.
    final FreeSlabs runs;

    BlockTables(FreeSlabs runs) {
        this.runs = runs;
    }

    /// Whether a block, or what may be one, is in the memory for blocks, so that there are tables for it.
    abstract boolean contains(long block);

    /// A number with the lowest bits of a block's address.
    abstract long lowBits(long block);

    /// The address of the live byte of a block.
    abstract long liveAddress(long block);

    /// The address of the kind of the slab of a block.
    abstract long kindAddress(long block);

    /// The address of the alignment of the slab of a block.
    abstract long alignmentAddress(long block);

    /// The first block of a slab.
    abstract long startOf(int slab);

    /// The number of the slab that a block is in.
    abstract int numberOf(long block);

    /// Adds free slabs to the runs: so many in a row, from an aligned one on.
    ///
    /// @return false if there is no memory left
    abstract boolean grow(long slabs, long slabAlignment);

    /// Gives memory back to where it came from, if it can, after a run has become free.
    abstract void released(int slab);

    /// The size of all memory, used and free; the memory of a segment counts from its first use.
    abstract long heldByteSize();

    /// The exception after [#grow] has returned false.
    abstract RuntimeException exhausted(long byteSize, long byteAlignment);

    /// Frees all memory.
    abstract void freeAll();

    /// The live byte of a block, without the part for the size 0.
    private byte mark(long block) {
        return (byte) ((lowBits(block) & 15) + 1);
    }

    /// Whether a live block of any size, or of the size 0, starts there.
    final boolean isLive(long block, boolean zeroLength) {
        return (byte) BYTE.get(ALL, liveAddress(block)) == mark(block) + (zeroLength ? ZERO_LENGTH : 0);
    }

    final void setLive(long block, boolean zeroLength) {
        BYTE.set(ALL, liveAddress(block), (byte) (mark(block) + (zeroLength ? ZERO_LENGTH : 0)));
    }

    /// Records that a live block that no segment of size 0 refers to has ended.
    final void clearLive(long block) {
        BYTE.set(ALL, liveAddress(block), (byte) 0);
    }

    /// Ends the life of a block. Of several threads that do so at the same time, one succeeds: there are no atomic
    /// operations of bytes, so this compares the four bytes around the live byte.
    ///
    /// @return whether the block was live
    final boolean endAtomically(long block, boolean zeroLength) {
        long address = liveAddress(block);
        int shift = (int) (LITTLE_ENDIAN ? address & 3 : 3 - (address & 3)) << 3;
        int expected = mark(block) + (zeroLength ? ZERO_LENGTH : 0);
        while (true) {
            int before = (int) ATOMIC.getVolatile(ALL, address & Memory.ADDRESS_BITS & ~3L);
            if ((before >>> shift & 0xFF) != expected) {
                return false;
            }
            if (ATOMIC.compareAndSet(ALL, address & Memory.ADDRESS_BITS & ~3L, before, before & ~(0xFF << shift))) {
                return true;
            }
        }
    }

    /// Makes the tables of slabs say that there are no live blocks. Memory from malloc has any content.
    final void clearLive(long slab, int slabs) {
        long address = liveAddress(slab);
        for (long i = 0; i < (long) slabs * LIVE_BYTES_PER_SLAB; i += Long.BYTES) {
            LONG.set(ALL, (address + i) & Memory.ADDRESS_BITS, 0L);
        }
    }

    /// The kind of the slab of a block.
    final int kindOf(long block) {
        return (byte) BYTE.get(ALL, kindAddress(block)) & (SizeClasses.KINDS - 1);
    }

    final void setKind(long slab, int kind) {
        BYTE.set(ALL, kindAddress(slab), (byte) kind);
    }

    final void clearAlignment(long slab) {
        BYTE.set(ALL, alignmentAddress(slab), (byte) 0);
    }

    /// Records the alignment of a block: when the block moves, it keeps the largest alignment of its slab.
    final void recordAlignment(long block, long byteAlignment) {
        if (byteAlignment > LARGEST_UNRECORDED && byteAlignment > alignmentOf(block)) {
            BYTE.set(ALL, alignmentAddress(block), (byte) Long.numberOfTrailingZeros(byteAlignment));
        }
    }

    /// The largest alignment of the blocks of a slab that is recorded, or 1.
    final long alignmentOf(long block) {
        return 1L << (byte) BYTE.get(ALL, alignmentAddress(block));
    }
}
