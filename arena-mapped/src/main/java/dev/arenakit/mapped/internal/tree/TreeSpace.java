package dev.arenakit.mapped.internal.tree;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.mapped.internal.structure.OwnedMemory;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// The pages of a tree that are in use, and the pages of the present change.
final class TreeSpace {
    /* A page is in use if the live tree or the newest forced tree contains it. A page that leaves the live tree is
     * free at once if it is private. Otherwise the forced tree, or the tree that is being forced, contains it, and it
     * waits: in `retired` until a force() begins, and then in `retiring` until it has ended.
     */

    private static final int LEAST_GROWTH = 32;
    private static final int MOST_GROWTH = 1 << 14;
    private static final int GROWTH_SHIFT = 3;

    private final OwnedMemory memory;
    private final TreePages pages;
    private BitSet used = new BitSet();
    /// The pages that were written since the last force() began.
    private BitSet unsealed = new BitSet();
    /// No page with a smaller number is free.
    private int lowestFree = 1;
    /// The number of pages for which there is memory.
    private int count;
    /// Pages with a larger generation are private.
    private long boundary;
    private BitSet retired = new BitSet();
    private final BitSet retiring = new BitSet();
    /// The new pages of the present change.
    private final Numbers fresh = new Numbers();
    /// The pages that the present change replaces.
    private final Numbers replaced = new Numbers();

    TreeSpace(OwnedMemory memory, TreePages pages) {
        this.memory = memory;
        this.pages = pages;
    }

    /// Sets the pages that are in use.
    ///
    /// @param live     the pages of the live tree
    /// @param unsealed the pages of the live tree that were written after the newest force()
    /// @param forced   the pages of the forced tree
    /// @param boundary pages with a larger generation are private
    void set(BitSet live, BitSet unsealed, BitSet forced, long boundary) {
        BitSet all = (BitSet) live.clone();
        all.or(forced);
        all.set(0);
        BitSet newRetired = (BitSet) forced.clone();
        newRetired.andNot(live);
        int newCount = (int) ((memory.segment().byteSize() - StructureFormat.BYTE_SIZE) / pages.pageByteSize);
        fresh.clear();
        replaced.clear();
        retiring.clear();
        retired = newRetired;
        used = all;
        this.unsealed = unsealed;
        lowestFree = 1;
        this.boundary = boundary;
        count = newCount;
    }

    /// Whether a page was written since the last force() began.
    boolean isPrivate(MemorySegment segment, long page) {
        return segment.get(LONG, page) > boundary;
    }

    /// Begins to write a free page.
    ///
    /// @return its number
    long allocate(int level) {
        int number = used.nextClearBit(lowestFree);
        if (number > count) {
            grow();
        }
        used.set(number);
        unsealed.set(number);
        fresh.add(number);
        lowestFree = number + 1;
        MemorySegment segment = memory.segment();
        long generation = segment.get(LONG, TreeFormat.LIVE + TreeFormat.GENERATION) + 1;
        LONG_HANDLE.setRelease(segment, TreeFormat.LIVE + TreeFormat.GENERATION, generation);
        pages.start(segment, pages.offset(number), generation, level);
        return number;
    }

    private void grow() {
        int growth = Math.clamp(count >> GROWTH_SHIFT, LEAST_GROWTH, MOST_GROWTH);
        try {
            memory.grow(pages.offset(count + 1L + growth));
        } catch (CapacityExceededException | UncheckedIOException e) {
            // There may be room for fewer pages.
            growth = 1;
            memory.grow(pages.offset(count + 1L + growth));
        }
        count += growth;
    }

    /// Completes the new pages of the present change, which becomes visible then.
    void finish() {
        MemorySegment segment = memory.segment();
        for (int i = 0; i < fresh.count; i++) {
            pages.finish(segment, pages.offset(fresh.numbers[i]));
        }
    }

    /// Records that the present change replaces a page.
    void replace(long number) {
        replaced.add((int) number);
    }

    /// Frees the pages that the present change has replaced. It is visible.
    void commit() {
        MemorySegment segment = memory.segment();
        for (int i = 0; i < replaced.count; i++) {
            int number = replaced.numbers[i];
            if (isPrivate(segment, pages.offset(number))) {
                free(number);
            } else {
                retired.set(number);
            }
        }
        fresh.clear();
        replaced.clear();
    }

    /// Frees the new pages of the present change, which has failed.
    void rollBack() {
        for (int i = 0; i < fresh.count; i++) {
            free(fresh.numbers[i]);
        }
        fresh.clear();
        replaced.clear();
    }

    private void free(int number) {
        used.clear(number);
        unsealed.clear(number);
        lowestFree = Math.min(lowestFree, number);
    }

    /// Stores the checks of all private pages, and makes them not private.
    ///
    /// @param generation the last generation
    void beginForce(long generation) {
        for (int number = unsealed.nextSetBit(1); number >= 0; number = unsealed.nextSetBit(number + 1)) {
            pages.seal(memory.segment(), pages.offset(number), number);
        }
        unsealed.clear();
        retiring.or(retired);
        retired.clear();
        boundary = generation;
    }

    /// The tree of the last [#beginForce] is on the device, and so is the slot that refers to it.
    void endForce() {
        retiring.stream().forEach(this::free);
        retiring.clear();
    }

    /// Numbers of pages. A change has at most two new ones of each level, and a new root.
    private static final class Numbers {
        private final int[] numbers = new int[2 * TreeFormat.MOST_LEVELS + 1];
        private int count;

        void add(int number) {
            numbers[count++] = number;
        }

        void clear() {
            count = 0;
        }
    }
}
