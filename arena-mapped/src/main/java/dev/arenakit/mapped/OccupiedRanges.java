package dev.arenakit.mapped;

import java.util.Map;
import java.util.TreeMap;

/// The ranges of a file that allocations occupy, to see whether two of them overlap. They come nearly in the order of their
/// offsets, so that the gaps are what is remembered: the latest of them.
final class OccupiedRanges {
    private static final int GAPS = 1 << 16;

    private final TreeMap<Long, Long> gaps = new TreeMap<>();
    /// The end of the last range.
    private long end;
    /// Gaps before this offset are forgotten, and ranges there are not judged.
    private long forgotten;

    /// Adds a range.
    ///
    /// @return whether it overlaps none that was added before
    boolean add(long from, long to) {
        if (from >= end) {
            if (from > end) {
                addGap(end, from);
            }
            end = to;
            return true;
        }
        Map.Entry<Long, Long> gap = gaps.floorEntry(from);
        if (gap == null || gap.getValue() < to) {
            return from < forgotten;
        }
        gaps.remove(gap.getKey());
        addGap(gap.getKey(), from);
        addGap(to, gap.getValue());
        return true;
    }

    private void addGap(long from, long to) {
        if (from < to) {
            gaps.put(from, to);
        }
        if (gaps.size() > GAPS) {
            forgotten = gaps.pollFirstEntry().getValue();
        }
    }
}
