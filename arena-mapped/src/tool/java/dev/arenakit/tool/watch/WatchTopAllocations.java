package dev.arenakit.tool.watch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The allocations that have grown most, or are largest on disk if none has grown.
final class WatchTopAllocations {
    /// An allocation.
    ///
    /// @param growth by how much its size on disk has grown
    record Entry(String label, String type, long byteSize, long stored, long growth) {
        private static final Comparator<Entry> ORDER = Comparator.comparingLong(Entry::growth)
                .thenComparingLong(Entry::stored)
                .reversed();
    }

    private final int capacity;
    private final List<Entry> entries = new ArrayList<>();

    WatchTopAllocations(int capacity) {
        this.capacity = capacity;
    }

    /// Whether an allocation belongs to the top ones.
    boolean accepts(long growth, long stored) {
        return capacity > 0 && stored > 0 && (entries.size() < capacity
                || Entry.ORDER.compare(new Entry("", "", 0, stored, growth), entries.getLast()) < 0);
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
