package dev.arenakit.mapped.internal.arena;

import dev.arenakit.internal.file.PrivatePages;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// The mappings of removed data files. Pages of zeros have replaced the files, because segments that nobody should use
/// any more still refer to the addresses. The caller holds the lock of the arena.
final class ReplacedMappings {
    /* The kernel joins adjacent mappings of such pages. Between the mappings of files that are still there, they stay
     * mappings of their own, which count for the limit of the process. */

    /// The ends of the replaced ranges by their starts. Adjacent ranges are joined.
    private final NavigableMap<Long, Long> ranges = new TreeMap<>();
    /// The number of mappings that the ranges have.
    private int remaining;

    /// A mapped file, or several that are mapped side by side.
    ///
    /// @param mappings the number of files
    record Mapped(MemorySegment segment, int mappings) {}

    /// Replaces mappings. A mapping that cannot be replaced stays.
    ///
    /// @return the number of mappings that the process has no longer
    int replace(List<Mapped> mapped) {
        int before = remaining;
        for (Mapped each : mapped) {
            if (each.segment.byteSize() > 0 && PrivatePages.replace(each.segment)) {
                before += each.mappings;
                add(each.segment.address(), PrivatePages.end(each.segment));
            }
        }
        int found = PrivatePages.count(ranges);
        remaining = found < 0 ? before : Math.min(before, found);
        return before - remaining;
    }

    private void add(long start, long end) {
        Map.Entry<Long, Long> next = ranges.ceilingEntry(start);
        long joinedEnd = end;
        if (next != null && next.getKey() == end) {
            joinedEnd = next.getValue();
            ranges.remove(end);
        }
        Map.Entry<Long, Long> previous = ranges.floorEntry(start);
        ranges.put(previous != null && previous.getValue() == start ? previous.getKey() : start, joinedEnd);
    }
}
