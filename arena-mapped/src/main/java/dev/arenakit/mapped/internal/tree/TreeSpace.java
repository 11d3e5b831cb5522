package dev.arenakit.mapped.internal.tree;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.mapped.internal.structure.OwnedMemory;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
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
    /// No page with a smaller number is free.
    private int lowestFree = 1;
    /// The number of pages for which there is memory.
    private int count;
    /// Pages with a larger generation are private.
    private long boundary;
    private Numbers retired = new Numbers();
    private Numbers retiring = new Numbers();
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
    /// @param live    the pages of the live tree
    /// @param forced  the pages of the forced tree
    /// @param forcing the pages of the tree that is being forced, or no pages
    /// @param boundary pages with a larger generation are private
    void set(BitSet live, BitSet forced, BitSet forcing, long boundary) {
        BitSet all = (BitSet) live.clone();
        all.or(forced);
        all.or(forcing);
        all.set(0);
        BitSet later = forcing.isEmpty() ? forced : forcing;
        Numbers newRetired = Numbers.of(later, live);
        BitSet kept = (BitSet) live.clone();
        kept.or(later);
        Numbers newRetiring = Numbers.of(forced, kept);
        int newCount = (int) ((memory.segment().byteSize() - StructureFormat.BYTE_SIZE) / pages.pageByteSize);
        fresh.clear();
        replaced.clear();
        retiring = newRetiring;
        retired = newRetired;
        used = all;
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
                retired.add(number);
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
        lowestFree = Math.min(lowestFree, number);
    }

    /// Makes all pages not private.
    ///
    /// @param generation the last generation
    void beginForce(long generation) {
        retiring.addAll(retired);
        retired.clear();
        boundary = generation;
    }

    /// The tree of the last [#beginForce] is on the device, and so is the slot that refers to it.
    void endForce() {
        for (int i = 0; i < retiring.count; i++) {
            free(retiring.numbers[i]);
        }
        retiring.clear();
    }

    /// Numbers of pages.
    private static final class Numbers {
        private int[] numbers = new int[16];
        private int count;

        /// The pages that other pages do not contain.
        static Numbers of(BitSet pages, BitSet others) {
            Numbers numbers = new Numbers();
            for (int page = pages.nextSetBit(0); page >= 0; page = pages.nextSetBit(page + 1)) {
                if (!others.get(page)) {
                    numbers.add(page);
                }
            }
            return numbers;
        }

        void add(int number) {
            if (count == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * count);
            }
            numbers[count++] = number;
        }

        void addAll(Numbers others) {
            for (int i = 0; i < others.count; i++) {
                add(others.numbers[i]);
            }
        }

        void clear() {
            count = 0;
        }
    }
}
