package dev.arenakit.internal.pool.memory;

import dev.arenakit.internal.PageMappings;
import java.util.BitSet;

/// A mapping from which slabs of one size are cut.
final class SlabRegion {
    final long address;
    final long byteSize;
    private final long slabByteSize;
    private final int slabCount;
    /// The positions of the slabs in use. The set has its full length from the start: freeing a slab needs no heap
    /// memory.
    private final BitSet used;
    private int usedCount;
    /// The positions of the slabs that were put back and still have memory.
    private final BitSet undiscarded;

    SlabRegion(long address, long byteSize, long slabByteSize) {
        this.address = address;
        this.byteSize = byteSize;
        this.slabByteSize = slabByteSize;
        this.slabCount = Math.toIntExact(byteSize / slabByteSize);
        this.used = new BitSet(slabCount);
        this.undiscarded = new BitSet(slabCount);
    }

    boolean isFull() {
        return usedCount == slabCount;
    }

    boolean isEmpty() {
        return usedCount == 0;
    }

    /// Takes the free slab with the lowest address.
    ///
    /// @return its address
    long take() {
        int index = used.nextClearBit(0);
        // First: if an Error interrupts this method, the region must not look as if it had a free slab.
        usedCount++;
        used.set(index);
        undiscarded.clear(index);
        return address + index * slabByteSize;
    }

    /// Takes a slab back.
    void putBack(long slab) {
        int index = (int) ((slab - address) / slabByteSize);
        used.clear(index);
        undiscarded.set(index);
        usedCount--;
    }

    /// Returns the memory of the slabs that were put back to the system, in as few calls as possible.
    void discard() {
        for (int begin = undiscarded.nextSetBit(0); begin >= 0; begin = undiscarded.nextSetBit(begin)) {
            int end = undiscarded.nextClearBit(begin);
            undiscarded.clear(begin, end);
            PageMappings.discard(address + begin * slabByteSize, (end - begin) * slabByteSize);
        }
    }
}
