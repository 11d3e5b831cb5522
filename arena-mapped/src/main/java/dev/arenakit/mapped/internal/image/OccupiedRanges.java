package dev.arenakit.mapped.internal.image;

import java.util.Map;
import java.util.TreeMap;

/// The ranges of a file that allocations occupy, in order to detect overlaps. The ranges are added nearly in the order
/// of their offsets, so that it is cheaper to store the gaps between them. Only the latest gaps are stored.
final class OccupiedRanges {
    private static final int GAPS = 1 << 16;

    private final TreeMap<Long, Long> gaps = new TreeMap<>();
    /// The end of the last range, exclusive.
    private long end;
    /// Gaps before this offset were discarded, and ranges there are not checked.
    private long discarded;

    /// Adds a range.
    ///
    /// @return false if it overlaps a range that was added before
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
            return from < discarded;
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
            discarded = gaps.pollFirstEntry().getValue();
        }
    }
}
