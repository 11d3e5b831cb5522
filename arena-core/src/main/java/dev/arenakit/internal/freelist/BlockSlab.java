package dev.arenakit.internal.freelist;

import org.jspecify.annotations.Nullable;

/// The blocks of one size class in one or more adjacent slabs, or a large block.
///
/// The depot's lock is held. Methods that change fields call nothing while they do: an Error cannot interrupt them.
final class BlockSlab {
    /// A slab in no list.
    static final int UNLISTED = -1;
    /// The lists by fullness: slabs with few free blocks are in list 0.
    static final int LISTS = 4;

    /// The number of the first slab.
    final int number;
    /// The first block that the first slab can have.
    final long start;
    /// The number of slabs.
    int length;
    int kind;
    int blockByteSize;
    private int count;
    /// Free blocks that have been allocated before, by index.
    private long[] free = {};
    private int freed;
    /// The blocks from this one on have never been allocated, nor have the blocks before `colour`.
    private int fresh;
    private int colour;
    private int lastLook;
    private int seen;
    /// The largest alignment of a large block.
    long byteAlignment;
    @Nullable
    BlockSlab next;
    @Nullable
    BlockSlab previous;
    int list = UNLISTED;

    BlockSlab(int number, long start) {
        this.number = number;
        this.start = start;
    }

    /// Starts the use for blocks of a class. There must be no live block.
    void open(int sizeClass, int length) {
        int byteSize = (int) SizeClasses.byteSizeOf(sizeClass);
        int blocks = (int) (((long) length << SizeClasses.SLAB_SHIFT) / byteSize);
        int words = (blocks + 63) >>> 6;
        long[] bits = free.length >= words ? free : new long[words];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = 0;
        }
        free = bits;
        this.length = length;
        blockByteSize = byteSize;
        count = blocks;
        freed = 0;
        fresh = 0;
        // Each slab starts with another block, so that the first blocks, and their tables, have different cache sets.
        colour = (int) (((number * 0x9E3779B97F4A7C15L) >>> 33) % blocks);
        kind = sizeClass;
    }

    /// Whether no block is live or in a stack.
    boolean isEmpty() {
        return freed == fresh;
    }

    /// Counts a block in a stack, which is seen in a look at all stacks.
    ///
    /// @return whether no block is live
    boolean isLast(int look) {
        seen = look == lastLook ? seen + 1 : 1;
        lastLook = look;
        return seen >= used();
    }

    /// The number of blocks that are live or in stacks.
    int used() {
        return fresh - freed;
    }

    /// The list that the slab belongs to.
    int properList() {
        int available = count - used();
        return available == 0 ? UNLISTED : (int) ((long) (available - 1) * LISTS / count);
    }

    /// Takes free blocks, until the array has them up to an end.
    ///
    /// @return the end of the taken blocks in the array
    int take(long[] into, int from, int end) {
        int at = from;
        long[] bits = free;
        for (int w = 0; w < bits.length && at < end && at - from < freed; w++) {
            for (long word = bits[w]; word != 0 && at < end; word &= word - 1) {
                into[at++] = ((long) w << 6) + Long.numberOfTrailingZeros(word);
            }
        }
        // Nothing is called from here on.
        freed -= at - from;
        for (int i = from; i < at; i++) {
            int index = (int) into[i];
            bits[index >>> 6] &= ~(1L << index);
            into[i] = start + (long) index * blockByteSize;
        }
        while (at < end && fresh < count) {
            int index = colour + fresh++;
            into[at++] = start + (long) (index < count ? index : index - count) * blockByteSize;
        }
        return at;
    }

    /// Takes back a block, which is in no stack and not live.
    ///
    /// @return false if the position is no block that has been taken
    boolean give(long block) {
        int offset = (int) (block - start);
        int index = offset / blockByteSize;
        if (index >= count || index * blockByteSize != offset) {
            return false;
        }
        int order = index < colour ? index - colour + count : index - colour;
        long bit = 1L << index;
        if (order >= fresh || (free[index >>> 6] & bit) != 0) {
            return false;
        }
        free[index >>> 6] |= bit;
        freed++;
        return true;
    }
}
