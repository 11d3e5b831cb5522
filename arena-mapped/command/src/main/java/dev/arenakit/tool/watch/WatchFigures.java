package dev.arenakit.tool.watch;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The figures of an image at one time.
///
/// @param nanos    the time, on the clock of [System#nanoTime]
/// @param state    `open`, `closed`, `died` or `unknown`
/// @param pid      the process id of the last owner, 0 if it is unknown
/// @param opened   the time when the last owner opened the image
/// @param count    the number of live allocations
/// @param freed    the number of freed allocations
/// @param byteSize the size of the live allocations
/// @param stored   the size of the files on disk, negative if it is unknown
/// @param top      the allocations that have grown most
record WatchFigures(long nanos, String state, long pid, Instant opened, long count, long freed, long byteSize,
        long stored, List<TopAllocations.Entry> top) {
    /// Whether these figures are the first figures. The first figures are compared with themselves, and so have no
    /// rates.
    boolean isFirst(WatchFigures before) {
        return nanos == before.nanos;
    }

    /// The number of allocations ever made.
    long made() {
        return count + freed;
    }

    /// A change per second since earlier figures.
    double rate(WatchFigures before, long change) {
        return change * 1e9 / Math.max(1, nanos - before.nanos);
    }

    /// The allocations that have grown most since the last time. If none has grown, the allocations with the largest
    /// written sizes.
    static final class TopAllocations {
        /// An allocation.
        ///
        /// @param written the written size
        /// @param growth  the growth of the written size since the last time
        record Entry(String label, String type, long byteSize, long written, long growth) {
            private static final Comparator<Entry> ORDER = Comparator.comparingLong(Entry::growth)
                    .thenComparingLong(Entry::written)
                    .reversed();
        }

        private final int capacity;
        private final List<Entry> entries = new ArrayList<>();

        TopAllocations(int capacity) {
            this.capacity = capacity;
        }

        /// Whether an allocation belongs to the top ones.
        boolean accepts(long growth, long written) {
            return capacity > 0 && written > 0 && (entries.size() < capacity
                    || Entry.ORDER.compare(new Entry("", "", 0, written, growth), entries.getLast()) < 0);
        }

        void add(Entry entry) {
            entries.add(entry);
            entries.sort(Entry.ORDER);
            if (entries.size() > capacity) {
                entries.removeLast();
            }
        }

        /// The top allocations, the first one first.
        List<Entry> entries() {
            return List.copyOf(entries);
        }
    }
}
