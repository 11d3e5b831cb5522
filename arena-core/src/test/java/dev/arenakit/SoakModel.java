package dev.arenakit;

import java.util.Map;
import java.util.TreeMap;

/// The ranges of memory that are live in a soak run. A range that overlaps another one has been handed out twice.
final class SoakModel {
    /// The end of each range by its start.
    private final TreeMap<Long, Long> ends = new TreeMap<>();

    /// Adds a range, which has at least one byte: an empty segment has an address of its own.
    synchronized void add(long address, long byteSize) {
        long end = address + Math.max(byteSize, 1);
        Map.Entry<Long, Long> other = ends.lowerEntry(end);
        if (other != null && other.getValue() > address) {
            throw new AssertionError("Memory is handed out twice: address=0x" + Long.toHexString(address) + ", end=0x"
                    + Long.toHexString(end) + ", otherAddress=0x" + Long.toHexString(other.getKey()) + ", otherEnd=0x"
                    + Long.toHexString(other.getValue()));
        }
        ends.put(address, end);
    }

    synchronized void remove(long address) {
        if (ends.remove(address) == null) {
            throw new AssertionError("Not in the model: address=0x" + Long.toHexString(address));
        }
    }

    synchronized int size() {
        return ends.size();
    }
}
