package dev.arenakit.mapped.internal.io;

import org.jspecify.annotations.Nullable;

/// A mapped range of a file, which is leased or idle.
public final class WindowRange {
    /// The number of the first window, and the number of windows. It is 0 if the range does not consist of whole
    /// windows, so that no lookup finds it.
    final long firstWindow;
    final long windowCount;

    /// The offset of the range in the file, and its size, in bytes.
    final long offset;
    final long byteSize;

    /// The address of the range, 0 before it is mapped, or if its lease has mapped it.
    long address;

    /// The number of open leases.
    int leases;

    /// The neighbours in the list of idle mappings. A mapping that is not in the list is its own neighbour.
    private WindowRange previous = this;
    private WindowRange next = this;

    /// The next mapping in the same bucket of the hash table.
    @Nullable
    WindowRange nextInBucket;

    WindowRange(long firstWindow, long windowCount, long offset, long byteSize) {
        this.firstWindow = firstWindow;
        this.windowCount = windowCount;
        this.offset = offset;
        this.byteSize = byteSize;
    }

    /// A range of no bytes, for a lease that needs no mapping.
    public static WindowRange empty() {
        WindowRange empty = new WindowRange(0, 0, 0, 0);
        empty.leases = 1;
        return empty;
    }

    /// Counts another lease of a leased range.
    public void addLease() {
        leases++;
    }

    boolean isOf(long firstWindow, long windowCount) {
        return this.firstWindow == firstWindow && this.windowCount == windowCount;
    }

    /// The next mapping of the list. In an empty list, it is this mapping.
    WindowRange next() {
        return next;
    }

    /// Removes this mapping from the list.
    void unlink() {
        previous.next = next;
        next.previous = previous;
        previous = this;
        next = this;
    }

    /// Inserts a mapping before this mapping. Before the head of a list is its end.
    void insertBefore(WindowRange mapping) {
        mapping.previous = previous;
        mapping.next = this;
        previous.next = mapping;
        previous = mapping;
    }
}
