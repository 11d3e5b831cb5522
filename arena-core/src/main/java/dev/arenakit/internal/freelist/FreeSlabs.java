package dev.arenakit.internal.freelist;

import java.util.Arrays;

/// The free slabs of an allocator, a bit for each, and runs of them.
///
/// A run is taken from the lowest place where it fits, so that the upper slabs become free. The search looks at 64
/// slabs at a time. Methods that change bits call nothing while they do: an Error cannot interrupt them.
final class FreeSlabs {
    static final int NONE = -1;

    private long[] free = new long[1];
    /// The free slabs whose pages may take memory.
    private long[] touched = new long[1];
    private int end;
    /// The number of slabs, without those that were removed and those that have never been added.
    private int count;
    private int freeCount;
    private int touchedCount;
    /// No word before this one has a bit.
    private int hint;
    /// Added to the number of a slab, the number of its address.
    private final long origin;

    /// @param origin the address of slab 0, divided by the size of a slab
    FreeSlabs(long origin) {
        this.origin = origin;
    }

    /// The number after the last slab.
    int end() {
        return end;
    }

    int usedCount() {
        return count - freeCount;
    }

    int touchedCount() {
        return touchedCount;
    }

    /// Makes room for the bits of slabs up to an end.
    void prepare(int end) {
        int words = (end >>> 6) + 1;
        if (words > free.length) {
            long[] longerTouched = Arrays.copyOf(touched, Math.max(words, 2 * free.length));
            long[] longer = Arrays.copyOf(free, longerTouched.length);
            touched = longerTouched;
            free = longer;
        }
    }

    /// Adds free slabs that have never been used, for which there is [room][#prepare].
    void add(int first, int length) {
        for (int i = first; i < first + length; i++) {
            free[i >>> 6] |= 1L << i;
        }
        count += length;
        freeCount += length;
        end = first + length > end ? first + length : end;
        hint = first >>> 6 < hint ? first >>> 6 : hint;
    }

    /// Forgets free slabs, whose memory is given back.
    void remove(int first, int length) {
        take(first, length);
        count -= length;
    }

    /// Makes used slabs free.
    void give(int first, int length) {
        for (int i = first; i < first + length; i++) {
            free[i >>> 6] |= 1L << i;
            touched[i >>> 6] |= 1L << i;
        }
        freeCount += length;
        touchedCount += length;
        hint = first >>> 6 < hint ? first >>> 6 : hint;
    }

    /// Takes the lowest run.
    ///
    /// @param slabAlignment the alignment of its address in slabs
    /// @return the first slab, or [#NONE]
    int take(long length, long slabAlignment) {
        int first = freeCount < length ? NONE : find(length, slabAlignment);
        if (first != NONE) {
            take(first, (int) length);
        }
        return first;
    }

    /// Takes certain slabs, if all of them are free.
    boolean takeAt(int first, long length) {
        boolean areFree = length <= end - first && nextUsed(first) >= first + length;
        if (areFree) {
            take(first, (int) length);
        }
        return areFree;
    }

    /// Whether certain slabs are free.
    boolean areFree(int first, int length) {
        return nextUsed(first) >= first + length;
    }

    private void take(int first, int length) {
        int wereTouched = 0;
        for (int i = first; i < first + length; i++) {
            wereTouched += (int) (touched[i >>> 6] >>> i & 1);
            touched[i >>> 6] &= ~(1L << i);
            free[i >>> 6] &= ~(1L << i);
        }
        freeCount -= length;
        touchedCount -= wereTouched;
    }

    private int find(long length, long slabAlignment) {
        int first = nextFree(free, hint << 6);
        hint = first == NONE ? end >>> 6 : first >>> 6;
        while (first != NONE) {
            long aligned = ((first + origin + slabAlignment - 1) & -slabAlignment) - origin;
            int stop = nextUsed(first);
            if (stop - aligned >= length) {
                return (int) aligned;
            }
            first = nextFree(free, stop);
        }
        return NONE;
    }

    /// The first free slab from a slab on whose pages may take memory, or [#NONE].
    int nextTouched(int from) {
        return nextFree(touched, from);
    }

    /// Records that the pages of free slabs take no memory.
    void setUntouched(int first, int length) {
        for (int i = first; i < first + length; i++) {
            touched[i >>> 6] &= ~(1L << i);
        }
        touchedCount -= length;
    }

    /// Returns the first slab that is not touched, not before a slab that is.
    int endOfTouched(int from, int limit) {
        int i = from;
        while (i < limit && (touched[i >>> 6] >>> i & 1) != 0) {
            i++;
        }
        return i;
    }

    private static int nextFree(long[] bits, int from) {
        for (int w = from >>> 6; w < bits.length; w++) {
            long word = w == from >>> 6 ? bits[w] & -1L << from : bits[w];
            if (word != 0) {
                return (w << 6) + Long.numberOfTrailingZeros(word);
            }
        }
        return NONE;
    }

    /// The first slab from a slab on that is not free, or the end.
    private int nextUsed(int from) {
        for (int w = from >>> 6; w << 6 < end; w++) {
            long word = w == from >>> 6 ? ~free[w] & -1L << from : ~free[w];
            if (word != 0) {
                return Math.min(end, (w << 6) + Long.numberOfTrailingZeros(word));
            }
        }
        return end;
    }

    /// The number of free slabs at the end.
    int freeAtEnd() {
        int first = end;
        while (first > 0 && (free[(first - 1) >>> 6] >>> (first - 1) & 1) != 0) {
            first--;
        }
        return end - first;
    }
}
