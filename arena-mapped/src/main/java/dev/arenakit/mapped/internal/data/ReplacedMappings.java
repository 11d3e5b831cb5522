package dev.arenakit.mapped.internal.data;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.file.PrivatePages;
import dev.arenakit.mapped.internal.files.PageSize;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The mappings of removed data files. Pages of zeros have replaced the files, because segments that nobody should use
/// any more still refer to the addresses. Addresses behind all segments, which memory that grows has reserved, are used
/// again. The caller holds the lock of the arena.
final class ReplacedMappings {
    /* The kernel joins adjacent mappings of such pages. Between the mappings of files that are still there, they stay
     * mappings of their own, which count for the limit of the process. */

    /// The ends of the replaced ranges by their starts. Adjacent ranges are joined.
    private final NavigableMap<Long, Long> ranges = new TreeMap<>();
    /// The number of mappings that the ranges have.
    private int remaining;
    /// The addresses to which no segment refers, as segments that are never handed out.
    private final List<MemorySegment> unused = new ArrayList<>();

    /// A mapped file, or several that are mapped side by side.
    ///
    /// @param file     the number of the file, or of the first one
    /// @param mappings the number of files
    record Mapped(int file, MemorySegment segment, int mappings) {}

    /// Replaces mappings. A mapping that cannot be replaced stays.
    ///
    /// @param byteSizes the sizes up to which segments refer to files, by the numbers of the files; segments refer to
    ///                  all of any other file
    /// @return the number of mappings that the process has no longer
    int replace(List<Mapped> mapped, Map<Integer, Long> byteSizes) {
        int before = remaining;
        for (Mapped each : mapped) {
            if (each.segment.byteSize() > 0 && PrivatePages.replace(each.segment)) {
                before += each.mappings;
                add(each.segment.address(), PrivatePages.end(each.segment));
                long mappedByteSize = each.segment.byteSize();
                long used = Sizes.alignUp(byteSizes.getOrDefault(each.file, mappedByteSize), PageSize.BYTES);
                if (used < mappedByteSize) {
                    unused.add(each.segment.asSlice(used));
                }
            }
        }
        int found = PrivatePages.count(ranges);
        remaining = found < 0 ? before : Math.min(before, found);
        return before - remaining;
    }

    /// Takes unused addresses.
    ///
    /// @param byteSize  the requested size
    /// @param leastSize the smallest size
    /// @return a segment of at most the requested size, or null if there are none
    @Nullable
    MemorySegment take(long byteSize, long leastSize) {
        for (int i = 0; i < unused.size(); i++) {
            if (unused.get(i).byteSize() >= leastSize) {
                MemorySegment taken = unused.remove(i);
                long size = Math.min(taken.byteSize(), byteSize);
                long rest = Sizes.alignUp(size, PageSize.BYTES);
                if (rest < taken.byteSize()) {
                    unused.add(taken.asSlice(rest));
                }
                remove(taken.address(), PrivatePages.end(taken.asSlice(0, size)));
                return taken.asSlice(0, size);
            }
        }
        return null;
    }

    /// Takes back addresses that no file was mapped to.
    void giveBack(MemorySegment taken) {
        unused.add(taken);
        add(taken.address(), PrivatePages.end(taken));
    }

    /// Removes a part of a range.
    private void remove(long start, long end) {
        Map.Entry<Long, Long> range = ranges.floorEntry(start);
        if (range != null && range.getValue() >= end) {
            ranges.remove(range.getKey());
            if (range.getKey() < start) {
                ranges.put(range.getKey(), start);
            }
            if (end < range.getValue()) {
                ranges.put(end, range.getValue());
            }
        }
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
