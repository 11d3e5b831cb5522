package dev.arenakit.internal.freelist;

import static dev.arenakit.internal.freelist.SlabHeapFormat.BLOCK_COUNT;
import static dev.arenakit.internal.freelist.SlabHeapFormat.MOST_IN_OWN_WORDS;
import static dev.arenakit.internal.freelist.SlabHeapFormat.OWN_WORDS;
import static dev.arenakit.internal.freelist.SlabHeapFormat.WORDS;
import static dev.arenakit.internal.freelist.SlabHeapFormat.compareAndSet;
import static dev.arenakit.internal.freelist.SlabHeapFormat.get;
import static dev.arenakit.internal.freelist.SlabHeapFormat.getAndClear;
import static dev.arenakit.internal.freelist.SlabHeapFormat.getVolatile;
import static dev.arenakit.internal.freelist.SlabHeapFormat.put;
import static dev.arenakit.internal.freelist.SlabHeapFormat.reference;

/// The words of a slab: the bits of its free blocks.
///
/// ```
///   words of 64 blocks, 16 bytes
///     0  free      a bit for each free block
///     8  returned  a bit for each block that another thread than the owner of the slab has freed
/// ```
///
/// A block is live if neither bit is set. Only the owner changes the first word, without atomic operations. When it
/// needs blocks, it adds the bits of the second word to the first one. Adding a bit that is set changes nothing: if
/// two threads free a block at the same time, which is an error, the block is free once.
///
/// A thread that frees a block twice, which is an error, may have read the descriptor before the slab got another size
/// class, and set its bit afterwards. The bit may then belong to no block, and is ignored.
final class SlabWords {
    /// The number of blocks whose bits share two words.
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
        return reference(get(slab + WORDS) + offsetOf(index));
    }

    private static long offsetOf(long index) {
        return index >>> GROUP_SHIFT << WORDS_SHIFT;
    }

    /// The bit of a block in its words.
    static long bit(long index) {
        return 1L << index;
    }

    /// The bits of the blocks of a group of a slab.
    private static long blocks(long slab, long group) {
        return bits(get(slab + BLOCK_COUNT) - group * GROUP_LENGTH);
    }

    /// The bits of the first blocks of a group, of at least one block.
    private static long bits(long count) {
        return count < GROUP_LENGTH ? bit(count) - 1 : -1;
    }

    /// Makes all blocks of a new slab free.
    static void initialize(long words, long blockCount) {
        long left = blockCount;
        for (long word = words; left > 0; word += 1 << WORDS_SHIFT, left -= GROUP_LENGTH) {
            put(word, bits(left));
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
    /// @return the number of blocks of the group that are returned, 64 if the whole group is now free, or 0 if the
    /// block was not live
    static int giveBack(long slab, long index) {
        long first = get(slab + WORDS);
        // The slab may have got another size class meanwhile: behind its own words, there is another descriptor.
        if (index >= MOST_IN_OWN_WORDS && first == slab + OWN_WORDS) {
            return 0;
        }
        long words = reference(first + offsetOf(index));
        long bit = bit(index);
        long returned;
        long free;
        do {
            returned = getVolatile(words + RETURNED);
            // In this order: the owner sets a bit in the first word before it clears it in the second one.
            free = returned | get(words);
            if ((free & bit) != 0) {
                return 0;
            }
        } while (!compareAndSet(words + RETURNED, returned, returned | bit));
        long live = blocks(slab, index >>> GROUP_SHIFT) & ~(free | bit);
        return live == 0 ? (int) GROUP_LENGTH : Long.bitCount(returned) + 1;
    }

    /// Adds the returned blocks of a group to its free ones. The caller owns the slab.
    ///
    /// @return its words
    static long collect(long slab, long group) {
        long words = ofGroup(slab, group);
        long returned = getVolatile(words + RETURNED);
        if (returned != 0) {
            put(words, get(words) | (returned & blocks(slab, group)));
            getAndClear(words + RETURNED, returned);
        }
        return words;
    }

    /// Adds the returned blocks of all groups to the free ones. The caller owns the slab.
    static void collectAll(long slab) {
        for (long group = groups(get(slab + BLOCK_COUNT)) - 1; group >= 0; group--) {
            collect(slab, group);
        }
    }

    /// The free blocks of a group as bits, including returned blocks.
    static long freeBlocks(long slab, long group) {
        long words = ofGroup(slab, group);
        return (getVolatile(words + RETURNED) | get(words)) & blocks(slab, group);
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
