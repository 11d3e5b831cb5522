package dev.arenakit;

import static dev.arenakit.SlabHeapFormat.BLOCK_COUNT;
import static dev.arenakit.SlabHeapFormat.WORDS;
import static dev.arenakit.SlabHeapFormat.compareAndSet;
import static dev.arenakit.SlabHeapFormat.get;
import static dev.arenakit.SlabHeapFormat.getAndClear;
import static dev.arenakit.SlabHeapFormat.getVolatile;
import static dev.arenakit.SlabHeapFormat.put;
import static dev.arenakit.SlabHeapFormat.reference;

/// The words of a slab, which say which of its blocks are free.
///
/// ```
///   words of 64 blocks, 16 bytes
///     0  free      a bit for each free block
///     8  returned  a bit for each block that another thread than the owner of the slab has freed
/// ```
///
/// A block is live if neither bit is set. Only the owner changes the first word, without atomic operations. When it
/// needs blocks, it adds the bits of the second word to the first one. To add a bit that is set changes nothing: so a
/// block that two threads free at the same time, which is an error, is free once.
final class SlabWords {
    /// How many blocks have the same words.
    static final long GROUP_LENGTH = 64;
    private static final int GROUP_SHIFT = 6;
    private static final int WORDS_SHIFT = 4;
    private static final long RETURNED = 8;

    /// The size of the words of the most blocks that a slab has: one for each 8 bytes.
    static final long MOST_BYTE_SIZE = (SlabHeapFormat.SLAB_BYTE_SIZE / 8) >> GROUP_SHIFT << WORDS_SHIFT;

    private SlabWords() {}

    /// The number of groups of 64 blocks.
    static long groups(long blockCount) {
        return (blockCount + GROUP_LENGTH - 1) >>> GROUP_SHIFT;
    }

    /// The address of the words of a group of a slab.
    static long ofGroup(long slab, long group) {
        return reference(get(slab + WORDS) + (group << WORDS_SHIFT));
    }

    /// The address of the words of a block of a slab.
    static long ofBlock(long slab, long index) {
        return reference(get(slab + WORDS) + (index >>> GROUP_SHIFT << WORDS_SHIFT));
    }

    /// The bit of a block in its words.
    static long bit(long index) {
        return 1L << index;
    }

    /// Makes all blocks of a new slab free.
    static void initialize(long words, long blockCount) {
        long left = blockCount;
        for (long word = words; left > 0; word += 1 << WORDS_SHIFT, left -= GROUP_LENGTH) {
            put(word, left < GROUP_LENGTH ? bit(left) - 1 : -1);
            put(word + RETURNED, 0);
        }
    }

    /// The blocks that other threads have freed, as bits. The owner is asking.
    static long returned(long words) {
        return get(words + RETURNED);
    }

    /// Whether a block is live.
    static boolean isLive(long slab, long index) {
        long words = ofBlock(slab, index);
        return ((getVolatile(words + RETURNED) | get(words)) & bit(index)) == 0;
    }

    /// Frees a block of another heap, as one atomic step, after all accesses of this thread to the block.
    ///
    /// @return the number of blocks of the group that are returned, or 0 if the block was not live
    static int giveBack(long slab, long index) {
        long words = ofBlock(slab, index);
        long bit = bit(index);
        long returned;
        do {
            returned = getVolatile(words + RETURNED);
            // In this order: the owner sets a bit in the first word before it clears it in the second one.
            if (((returned | get(words)) & bit) != 0) {
                return 0;
            }
        } while (!compareAndSet(words + RETURNED, returned, returned | bit));
        return Long.bitCount(returned) + 1;
    }

    /// Adds the returned blocks of a group to its free ones. The caller owns the slab.
    static void collect(long words) {
        long returned = getVolatile(words + RETURNED);
        if (returned != 0) {
            put(words, get(words) | returned);
            getAndClear(words + RETURNED, returned);
        }
    }

    /// Adds the returned blocks of all groups to the free ones. The caller owns the slab.
    static void collectAll(long slab) {
        for (long group = groups(get(slab + BLOCK_COUNT)) - 1; group >= 0; group--) {
            collect(ofGroup(slab, group));
        }
    }

    /// The free blocks of a group as bits, with those that are returned.
    static long freeBlocks(long slab, long group) {
        long words = ofGroup(slab, group);
        return getVolatile(words + RETURNED) | get(words);
    }

    /// The number of free blocks of a slab.
    static long countFree(long slab) {
        long count = 0;
        for (long group = groups(get(slab + BLOCK_COUNT)) - 1; group >= 0; group--) {
            count += Long.bitCount(freeBlocks(slab, group));
        }
        return count;
    }
}
