package dev.arenakit.internal.freelist;

import dev.arenakit.internal.Sizes;

import static dev.arenakit.internal.freelist.SlabHeapFormat.BLOCK_BYTE_SIZE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.BLOCK_COUNT;
import static dev.arenakit.internal.freelist.SlabHeapFormat.BYTE_ALIGNMENT;
import static dev.arenakit.internal.freelist.SlabHeapFormat.CONTINUATION;
import static dev.arenakit.internal.freelist.SlabHeapFormat.DESCRIPTOR;
import static dev.arenakit.internal.freelist.SlabHeapFormat.DISTANCE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.KIND;
import static dev.arenakit.internal.freelist.SlabHeapFormat.LARGE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.LENGTH;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SIZE_CLASS;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SLAB;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SLAB_BYTE_SIZE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SLAB_SHIFT;
import static dev.arenakit.internal.freelist.SlabHeapFormat.get;

/// Looks at live blocks: how large they are, and whether they can be resized where they are.
public final class SlabLookup {
    private final SlabSpace space;
    private final Object lock;

    SlabLookup(SlabSpace space, Object lock) {
        this.space = space;
        this.lock = lock;
    }

    /// The first slab of the run of a slab.
    static long firstOf(long slab) {
        return get(slab + KIND) == CONTINUATION ? slab - get(slab + DISTANCE) * DESCRIPTOR : slab;
    }

    /// The number of the block at an address, or -1 if no block of the slab starts there.
    static long indexOf(long slab, long address) {
        long count = get(slab + BLOCK_COUNT);
        if (count == 0) {
            return -1;
        }
        long offset = address - get(slab + SLAB);
        long byteSize = get(slab + BLOCK_BYTE_SIZE);
        return offset % byteSize == 0 && offset / byteSize < count ? offset / byteSize : -1;
    }

    /// Looks at the live block at an address.
    ///
    /// @return the number of bytes that the block holds, or -1 if there is no live block
    public long byteSizeAt(long address) {
        synchronized (lock) {
            space.checkOpen();
            long slab = find(address);
            return slab == 0 ? -1 : byteSize(slab);
        }
    }

    /// Looks at the live block at an address, which is to be resized.
    ///
    /// @return 0 if the block holds the new size and remains where it is, or otherwise the alignment of the block
    public long alignmentToMove(long address, long newByteSize) {
        synchronized (lock) {
            space.checkOpen();
            long slab = find(address);
            if (slab == 0) {
                throw new IllegalArgumentException(
                        "Block is being freed by another thread: address=0x" + Long.toHexString(address));
            }
            long byteAlignment = byteAlignment(slab);
            return fits(slab, newByteSize, byteAlignment) ? 0 : byteAlignment;
        }
    }

    /// The slab of the live block at an address, or 0 if there is none.
    private long find(long address) {
        long slab = space.descriptorOf(address);
        if (slab == 0) {
            return 0;
        }
        if (get(slab + KIND) == LARGE) {
            return get(slab + SLAB) == address ? slab : 0;
        }
        long first = firstOf(slab);
        long index = indexOf(first, address);
        return index >= 0 && SlabWords.isLive(first, index) ? first : 0;
    }

    private static long byteSize(long slab) {
        return get(slab + KIND) == LARGE
                ? get(slab + LENGTH) << SLAB_SHIFT
                : get(slab + BLOCK_BYTE_SIZE);
    }

    /// The alignment that a live block has at least: the largest that was requested in its slab.
    private static long byteAlignment(long slab) {
        return get(slab + (get(slab + KIND) == LARGE ? SIZE_CLASS : BYTE_ALIGNMENT));
    }

    /// Whether a block of a slab remains where it is when it is resized: its new size has the same size class.
    private static boolean fits(long slab, long newByteSize, long byteAlignment) {
        boolean large = get(slab + KIND) == LARGE;
        if (large || !SlabSizeClasses.isSmall(newByteSize, byteAlignment)) {
            return large && !SlabSizeClasses.isSmall(newByteSize, byteAlignment)
                    && slabsFor(newByteSize) == get(slab + LENGTH);
        }
        return SlabSizeClasses.indexOf(Sizes.alignUp(Math.max(newByteSize, 1), byteAlignment)) == get(
                slab + SIZE_CLASS);
    }

    /// The number of slabs that a large block takes.
    static long slabsFor(long byteSize) {
        return Math.max(1, (byteSize + SLAB_BYTE_SIZE - 1) >>> SLAB_SHIFT);
    }
}
