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
    /* A page is in use if the live tree, the newest forced tree, or the tree that is being forced contains it. */

    private static final int LEAST_GROWTH = 32;
    private static final int MOST_GROWTH = 1 << 14;
    private static final int GROWTH_SHIFT = 3;

    private final OwnedMemory memory;
    private final TreePages pages;
    /// The pages of the live tree, and the new pages of the present change.
    private BitSet live = new BitSet();
    /// The pages of the live tree that were written since the last force() began.
    private BitSet unsealed = new BitSet();
    private BitSet forced = new BitSet();
    /// The pages of the tree that is being forced, or of the forced tree.
    private BitSet forcing = new BitSet();
    /// No page with a smaller number is free.
    private int lowestFree = 1;
    /// The number of pages for which there is memory.
    private int count;
    /// Pages with a larger generation are private.
    private long boundary;
    /// The new pages of the present change: at most two of each level, and a root.
    private final long[] fresh = new long[2 * TreeFormat.MOST_LEVELS + 1];
    private int freshCount;

    TreeSpace(OwnedMemory memory, TreePages pages) {
        this.memory = memory;
        this.pages = pages;
    }

    /// Sets the pages of the live tree.
    ///
    /// @param unsealed the pages that were written after the newest force()
    void set(BitSet live, BitSet unsealed) {
        count = (int) ((memory.segment().byteSize() - StructureFormat.BYTE_SIZE) / pages.pageByteSize);
        freshCount = 0;
        this.live = live;
        this.unsealed = unsealed;
        lowestFree = 1;
    }

    /// Sets the pages of the forced tree.
    ///
    /// @param boundary pages with a larger generation are private
    void setForced(BitSet forced, long boundary) {
        this.forced = forced;
        forcing = forced;
        this.boundary = boundary;
    }

    /// Whether a page was written since the last force() began.
    boolean isPrivate(MemorySegment segment, long page) {
        return segment.get(LONG, page) > boundary;
    }

    /// Begins to write a free page.
    ///
    /// @return its number
    long allocate(int level) {
        int number = live.nextClearBit(lowestFree);
        while (isForced(number)) {
            number = live.nextClearBit(number + 1);
        }
        if (number > count) {
            grow();
        }
        live.set(number);
        unsealed.set(number);
        fresh[freshCount++] = number;
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

    /// Frees the new pages of the present change, which has failed.
    void rollBack() {
        free(fresh, freshCount);
    }

    /// Ends the present change, and frees the pages that it has replaced, or its new pages if it has failed.
    ///
    /// @param numbers begins with the numbers of the pages
    void free(long[] numbers, int numberCount) {
        for (int i = 0; i < numberCount; i++) {
            int number = (int) numbers[i];
            live.clear(number);
            unsealed.clear(number);
            lowestFree = isForced(number) ? lowestFree : Math.min(lowestFree, number);
        }
        freshCount = 0;
    }

    private boolean isForced(int number) {
        return forced.get(number) || forcing.get(number);
    }

    /// Stores the checks of all private pages, and makes them not private.
    ///
    /// @param generation the last generation
    void beginForce(long generation) {
        for (int number = unsealed.nextSetBit(1); number >= 0; number = unsealed.nextSetBit(number + 1)) {
            pages.seal(memory.segment(), pages.offset(number), number);
        }
        unsealed.clear();
        // The slot of a force() that has failed can be on the device.
        forced.or(forcing);
        forcing = (BitSet) live.clone();
        boundary = generation;
    }

    /// The tree of the last [#beginForce] is on the device, and so is the slot that refers to it.
    void endForce() {
        forced = forcing;
        lowestFree = 1;
    }
}
