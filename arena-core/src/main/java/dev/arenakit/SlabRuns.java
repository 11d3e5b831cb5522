package dev.arenakit;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.SlabHeapFormat.BLOCK_COUNT;
import static dev.arenakit.SlabHeapFormat.CONTINUATION;
import static dev.arenakit.SlabHeapFormat.DESCRIPTOR;
import static dev.arenakit.SlabHeapFormat.DISTANCE;
import static dev.arenakit.SlabHeapFormat.FREE;
import static dev.arenakit.SlabHeapFormat.KIND;
import static dev.arenakit.SlabHeapFormat.LENGTH;
import static dev.arenakit.SlabHeapFormat.NEXT;
import static dev.arenakit.SlabHeapFormat.PREVIOUS;
import static dev.arenakit.SlabHeapFormat.RESERVED;
import static dev.arenakit.SlabHeapFormat.get;
import static dev.arenakit.SlabHeapFormat.put;

/// The runs of free slabs of an allocator.
///
/// Adjacent runs are joined. The first descriptor of a run has its length, and the last one the distance to the first.
/// The descriptors before the first slab and after the last one are not of free slabs.
final class SlabRuns {
    /// A list for each power of two: a run of n slabs is in the list of the highest power that is not larger than n.
    private final long[] lists = new long[Long.SIZE];
    private final @Nullable MemorySegment memory;
    private long freeSlabs;

    SlabRuns(@Nullable MemorySegment memory) {
        this.memory = memory;
    }

    /// The number of slabs in all runs.
    long freeSlabs() {
        return freeSlabs;
    }

    /// Takes a run out of the free ones. Its slabs are reserved.
    ///
    /// @return the descriptor of its first slab, or 0 if there is no run of that length
    long take(long length) {
        long run = find(length);
        if (run != 0) {
            takeAt(run, run, length);
        }
        return run;
    }

    /// Takes a part of a free run out of the free ones. Its slabs are reserved.
    ///
    /// @param slab   the first slab of the part
    /// @param length the length of the part
    void takeAt(long run, long slab, long length) {
        long found = get(memory, run + LENGTH);
        long before = (slab - run) / DESCRIPTOR;
        // First, as a slab is taken only if it is free: if the stack overflows in a later step, a list may be wrong.
        reserve(slab, length);
        unlink(run, found);
        if (before > 0) {
            link(run, before);
        }
        if (found > before + length) {
            link(slab + length * DESCRIPTOR, found - before - length);
        }
    }

    /// Adds a run of reserved slabs to the free ones.
    ///
    /// @return the descriptor of the first slab of the run that it is now a part of
    long add(long run, long length) {
        for (long i = 0; i < length; i++) {
            long descriptor = run + i * DESCRIPTOR;
            put(memory, descriptor + BLOCK_COUNT, 0);
            put(memory, descriptor + KIND, FREE);
        }
        long first = run;
        long joined = length;
        long after = run + length * DESCRIPTOR;
        long afterLength = get(memory, after + LENGTH);
        if (isRun(after, afterLength)) {
            unlink(after, afterLength);
            joined += afterLength;
        }
        long before = run - DESCRIPTOR;
        long beforeLength = get(memory, before + DISTANCE) + 1;
        if (get(memory, before + KIND) == FREE && isRun(run - beforeLength * DESCRIPTOR, beforeLength)) {
            first = run - beforeLength * DESCRIPTOR;
            unlink(first, beforeLength);
            joined += beforeLength;
        }
        link(first, joined);
        return first;
    }

    /// Takes a whole free run out, whose memory is given back.
    void remove(long run) {
        unlink(run, get(memory, run + LENGTH));
    }

    /// Whether all slabs of a part are free.
    boolean isFree(long slab, long length) {
        for (long i = 0; i < length; i++) {
            if (get(memory, slab + i * DESCRIPTOR + KIND) != FREE) {
                return false;
            }
        }
        return true;
    }

    private boolean isRun(long run, long length) {
        if (get(memory, run + KIND) != FREE || get(memory, run + LENGTH) != length) {
            return false;
        }
        long last = run + (length - 1) * DESCRIPTOR;
        return get(memory, last + KIND) == FREE && get(memory, last + DISTANCE) == length - 1;
    }

    /// Finds a run whose first slabs are free. A list that is wrong ends there: its other runs are lost.
    private long find(long length) {
        for (int list = listOf(length); list < lists.length; list++) {
            long previous = 0;
            for (long run = lists[list]; run != 0; run = get(memory, run + NEXT)) {
                long found = get(memory, run + LENGTH);
                boolean right = get(memory, run + PREVIOUS) == previous && listOf(found) == list
                        && isFree(run, Math.min(found, length));
                if (!right) {
                    cut(list, previous);
                    break;
                }
                if (found >= length) {
                    return run;
                }
                previous = run;
            }
        }
        return 0;
    }

    private void cut(int list, long last) {
        if (last == 0) {
            lists[list] = 0;
        } else {
            put(memory, last + NEXT, 0);
        }
    }

    private void reserve(long run, long length) {
        put(memory, run + LENGTH, length);
        put(memory, run + DISTANCE, 0);
        put(memory, run + KIND, RESERVED);
        for (long i = 1; i < length; i++) {
            long descriptor = run + i * DESCRIPTOR;
            put(memory, descriptor + DISTANCE, i);
            put(memory, descriptor + KIND, CONTINUATION);
        }
    }

    private void link(long run, long length) {
        int list = listOf(length);
        long next = lists[list];
        put(memory, run + LENGTH, length);
        put(memory, run + (length - 1) * DESCRIPTOR + DISTANCE, length - 1);
        put(memory, run + NEXT, next);
        put(memory, run + PREVIOUS, 0);
        if (next != 0) {
            put(memory, next + PREVIOUS, run);
        }
        lists[list] = run;
        freeSlabs += length;
    }

    private void unlink(long run, long length) {
        long next = get(memory, run + NEXT);
        long previous = get(memory, run + PREVIOUS);
        if (next != 0 && get(memory, next + PREVIOUS) == run) {
            put(memory, next + PREVIOUS, previous);
        }
        if (lists[listOf(length)] == run) {
            lists[listOf(length)] = next;
        } else if (previous != 0 && get(memory, previous + NEXT) == run) {
            put(memory, previous + NEXT, next);
        }
        freeSlabs -= length;
    }

    private static int listOf(long length) {
        return 63 - Long.numberOfLeadingZeros(length);
    }
}
