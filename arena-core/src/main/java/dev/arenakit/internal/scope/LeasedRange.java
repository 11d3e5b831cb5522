package dev.arenakit.internal.scope;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A range of memory that native code reads until it releases the range. Collections do not free it meanwhile.
///
/// A lease of the scope does not suffice: a block can be freed although its arena is open.
public final class LeasedRange {
    /// The first of all ranges, which are a list. The class is the lock of all fields.
    private static @Nullable LeasedRange first;
    /// Whether there are ranges. Without them, no lock is needed.
    private static volatile boolean exist;

    private final long start;
    private final long end;
    private @Nullable LeasedRange previous;
    private @Nullable LeasedRange next;

    private LeasedRange(MemorySegment memory) {
        start = memory.address();
        end = start + memory.byteSize();
    }

    /// Leases the memory of a native segment.
    public static LeasedRange of(MemorySegment memory) {
        LeasedRange range = new LeasedRange(memory);
        synchronized (LeasedRange.class) {
            LeasedRange second = first;
            range.next = second;
            if (second != null) {
                second.previous = range;
            }
            first = range;
            exist = true;
        }
        return range;
    }

    /// Ends the lease. This method is called once, and needs no heap memory.
    public void release() {
        synchronized (LeasedRange.class) {
            if (previous == null) {
                first = next;
            } else {
                previous.next = next;
            }
            if (next != null) {
                next.previous = previous;
            }
            exist = first != null;
        }
    }

    /// Whether memory contains a part of a leased range. The search takes time proportional to the number of ranges.
    public static boolean isIn(MemorySegment memory) {
        if (!exist || !memory.isNative()) {
            return false;
        }
        long from = memory.address();
        long to = from + memory.byteSize();
        synchronized (LeasedRange.class) {
            for (LeasedRange range = first; range != null; range = range.next) {
                if (range.start < to && from < range.end) {
                    return true;
                }
            }
        }
        return false;
    }
}
