package dev.arenakit.internal.freelist;

import static dev.arenakit.internal.freelist.SlabHeapFormat.KIND;
import static dev.arenakit.internal.freelist.SlabHeapFormat.NEXT;
import static dev.arenakit.internal.freelist.SlabHeapFormat.NEXT_RETURNED;
import static dev.arenakit.internal.freelist.SlabHeapFormat.OWNER;
import static dev.arenakit.internal.freelist.SlabHeapFormat.PARTIAL;
import static dev.arenakit.internal.freelist.SlabHeapFormat.PARTIAL_SLAB;
import static dev.arenakit.internal.freelist.SlabHeapFormat.PREVIOUS;
import static dev.arenakit.internal.freelist.SlabHeapFormat.RETURNED;
import static dev.arenakit.internal.freelist.SlabHeapFormat.UNLISTED_SLAB;
import static dev.arenakit.internal.freelist.SlabHeapFormat.compareAndSet;
import static dev.arenakit.internal.freelist.SlabHeapFormat.get;
import static dev.arenakit.internal.freelist.SlabHeapFormat.getVolatile;
import static dev.arenakit.internal.freelist.SlabHeapFormat.put;
import static dev.arenakit.internal.freelist.SlabHeapFormat.putVolatile;

/// The lists that slabs with blocks are in: the partial slabs of a size class, and the slabs that other threads have
/// returned to a heap.
final class SlabLists {
    /// Marks a slab that is in the list of returned slabs. Descriptors are aligned to more than that.
    private static final long IS_RETURNED = 1;

    private SlabLists() {}

    /// Adds a slab to the partial slabs of a size class.
    static void link(long record, long slab) {
        long next = get(record + PARTIAL);
        put(slab + NEXT, next);
        put(slab + PREVIOUS, 0);
        put(slab + KIND, PARTIAL_SLAB);
        if (next != 0) {
            put(next + PREVIOUS, slab);
        }
        put(record + PARTIAL, slab);
    }

    /// Removes a slab from the partial slabs of a size class.
    static void unlink(long record, long slab) {
        long next = get(slab + NEXT);
        long previous = get(slab + PREVIOUS);
        if (next != 0) {
            put(next + PREVIOUS, previous);
        }
        put(previous == 0 ? record + PARTIAL : previous + NEXT, next);
        put(slab + KIND, UNLISTED_SLAB);
    }

    /// Adds a slab to the list of its owner, unless it is in a list.
    static void addReturned(int calls, long slab) {
        if (calls > 0) {
            addReturned(calls - 1, slab);
            return;
        }
        long owner = get(slab + OWNER);
        if (owner == 0 || !compareAndSet(slab + NEXT_RETURNED, 0, IS_RETURNED)) {
            return;
        }
        long next;
        do {
            next = getVolatile(owner + RETURNED);
            putVolatile(slab + NEXT_RETURNED, next | IS_RETURNED);
        } while (!compareAndSet(owner + RETURNED, next, slab));
    }

    /// Removes a slab from the list of a heap. No other thread removes any meanwhile: so the next slab of the first one
    /// does not change while that is the first one.
    ///
    /// From then on, other threads can add the slab again: the caller reads the words after this.
    ///
    /// @return the slab, or 0 if there is none
    static long removeReturned(long owner) {
        long slab;
        do {
            slab = getVolatile(owner + RETURNED);
            if (slab == 0) {
                return 0;
            }
        } while (!compareAndSet(owner + RETURNED, slab, getVolatile(slab + NEXT_RETURNED) & ~IS_RETURNED));
        putVolatile(slab + NEXT_RETURNED, 0);
        return slab;
    }
}
