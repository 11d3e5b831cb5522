package dev.arenakit.internal.freelist;

import dev.arenakit.internal.Sizes;

import static dev.arenakit.internal.freelist.SlabHeapFormat.BLOCK_COUNT;
import static dev.arenakit.internal.freelist.SlabHeapFormat.CONTINUATION;
import static dev.arenakit.internal.freelist.SlabHeapFormat.DESCRIPTOR;
import static dev.arenakit.internal.freelist.SlabHeapFormat.DISTANCE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.FREE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.KIND;
import static dev.arenakit.internal.freelist.SlabHeapFormat.LENGTH;
import static dev.arenakit.internal.freelist.SlabHeapFormat.NEXT;
import static dev.arenakit.internal.freelist.SlabHeapFormat.PREVIOUS;
import static dev.arenakit.internal.freelist.SlabHeapFormat.RESERVED;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SHAPE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SLAB;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SLAB_SHIFT;
import static dev.arenakit.internal.freelist.SlabHeapFormat.get;
import static dev.arenakit.internal.freelist.SlabHeapFormat.put;

/// The runs of free slabs of an allocator.
///
/// Adjacent runs are joined. The first descriptor of a run has its length, and the last one the distance to the first.
/// The descriptors before the first slab and after the last one are not of free slabs.
final class SlabRuns {
    /// A list for each power of two: a run of n slabs is in the list of the highest power that is not larger than n.
    private final long[] lists = new long[Long.SIZE];
    private long freeSlabs;
    /// Whether the runs are being changed. If an Error interrupts that, they cannot be used any more.
    private boolean changing;

    /// The number of slabs in all runs.
    long freeSlabs() {
        return freeSlabs;
    }

    /// Takes a part of a free run out of the free ones. Its slabs are reserved.
    ///
    /// @param slab   the first slab of the part
    /// @param length the length of the part
    void takeAt(long run, long slab, long length) {
        checkWhole();
        changing = true;
        long found = get(run + LENGTH);
        long before = (slab - run) / DESCRIPTOR;
        reserve(slab, length);
        unlink(run, found);
        if (before > 0) {
            link(run, before);
        }
        if (found > before + length) {
            link(slab + length * DESCRIPTOR, found - before - length);
        }
        changing = false;
    }

    /// Whether an Error has interrupted a change of the runs, so that they cannot be used any more.
    boolean isInterrupted() {
        return changing;
    }

    private void checkWhole() {
        if (changing) {
            throw SlabHeapFormat.interrupted();
        }
    }

    /// Adds a run of reserved slabs to the free ones.
    ///
    /// @return the descriptor of the first slab of the run that it is now a part of
    long add(long run, long length) {
        checkWhole();
        changing = true;
        for (long i = 0; i < length; i++) {
            long descriptor = run + i * DESCRIPTOR;
            put(descriptor + BLOCK_COUNT, 0);
            put(descriptor + SHAPE, 0);
            put(descriptor + KIND, FREE);
        }
        long first = run;
        long joined = length;
        long after = run + length * DESCRIPTOR;
        if (get(after + KIND) == FREE) {
            long afterLength = get(after + LENGTH);
            unlink(after, afterLength);
            joined += afterLength;
        }
        long before = run - DESCRIPTOR;
        if (get(before + KIND) == FREE) {
            long beforeLength = get(before + DISTANCE) + 1;
            first = run - beforeLength * DESCRIPTOR;
            unlink(first, beforeLength);
            joined += beforeLength;
        }
        link(first, joined);
        changing = false;
        return first;
    }

    /// Takes a whole free run out, whose memory is given back.
    void remove(long run) {
        checkWhole();
        changing = true;
        unlink(run, get(run + LENGTH));
        changing = false;
    }

    /// Finds a run that has so many free slabs from its first aligned one on.
    ///
    /// @return the descriptor of the first slab of the run, or 0 if there is none
    long find(long length, long byteAlignment) {
        checkWhole();
        for (int list = listOf(length); list < lists.length; list++) {
            for (long run = lists[list]; run != 0; run = get(run + NEXT)) {
                if (get(run + LENGTH) >= slabsBefore(get(run + SLAB), byteAlignment) + length) {
                    return run;
                }
            }
        }
        return 0;
    }

    /// The number of slabs from an address on, before the first one that is aligned.
    static long slabsBefore(long address, long byteAlignment) {
        return (Sizes.alignUp(address, byteAlignment) - address) >>> SLAB_SHIFT;
    }

    private void reserve(long run, long length) {
        put(run + LENGTH, length);
        put(run + DISTANCE, 0);
        put(run + KIND, RESERVED);
        for (long i = 1; i < length; i++) {
            long descriptor = run + i * DESCRIPTOR;
            put(descriptor + DISTANCE, i);
            put(descriptor + KIND, CONTINUATION);
        }
    }

    private void link(long run, long length) {
        int list = listOf(length);
        long next = lists[list];
        put(run + LENGTH, length);
        put(run + (length - 1) * DESCRIPTOR + DISTANCE, length - 1);
        put(run + NEXT, next);
        put(run + PREVIOUS, 0);
        if (next != 0) {
            put(next + PREVIOUS, run);
        }
        lists[list] = run;
        freeSlabs += length;
    }

    private void unlink(long run, long length) {
        long next = get(run + NEXT);
        long previous = get(run + PREVIOUS);
        if (next != 0) {
            put(next + PREVIOUS, previous);
        }
        if (previous == 0) {
            lists[listOf(length)] = next;
        } else {
            put(previous + NEXT, next);
        }
        freeSlabs -= length;
    }

    private static int listOf(long length) {
        return 63 - Long.numberOfLeadingZeros(length);
    }
}
