package dev.arenakit.tool.watch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The allocations that have grown most since the last time. If none has grown, the allocations with the largest
/// written sizes.
final class WatchTopAllocations {
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

    WatchTopAllocations(int capacity) {
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
