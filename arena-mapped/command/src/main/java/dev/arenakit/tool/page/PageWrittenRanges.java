package dev.arenakit.tool.page;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/// A bounded number of ranges of data in a file. If there are too many ranges, their unit is doubled, and adjacent
/// ranges become one range.
final class PageWrittenRanges {
    /// The unit of holes in file systems.
    private static final long PAGE = 4096;
    private static final double PERCENT = 100;

    private final int limit;
    private long unit = PAGE;
    private List<Range> ranges = new ArrayList<>();

    /// @param limit the largest number of ranges, at least 1
    PageWrittenRanges(int limit) {
        this.limit = limit;
    }

    /// @param start  the start, in units
    /// @param end    the end, in units
    /// @param stored the number of bytes of data
    private record Range(long start, long end, long stored) {}

    /// Adds an extent, which follows the extents added before. The last page of a file counts as a whole.
    void add(long start, long end) {
        append(start / unit, Math.ceilDiv(end, unit), Math.ceilDiv(end, PAGE) * PAGE - start);
        while (ranges.size() > limit) {
            coarsen();
        }
    }

    /// The unit of the ranges, in bytes.
    long unit() {
        return unit;
    }

    /// Writes a flat array with three numbers for each range: the distance from the previous range and the length, both
    /// in units, and the percentage of data.
    void write(JsonGenerator json) {
        json.writeStartArray();
        long end = 0;
        for (Range range : ranges) {
            json.writeNumber(range.start - end);
            json.writeNumber(range.end - range.start);
            double share = range.stored / ((double) unit * (range.end - range.start));
            json.writeNumber((int) Math.clamp(Math.ceil(PERCENT * share), 1, PERCENT));
            end = range.end;
        }
        json.writeEndArray();
    }

    private void append(long start, long end, long bytes) {
        if (!ranges.isEmpty() && start <= ranges.getLast().end) {
            Range last = ranges.removeLast();
            ranges.add(new Range(last.start, Math.max(last.end, end), last.stored + bytes));
        } else {
            ranges.add(new Range(start, end, bytes));
        }
    }

    private void coarsen() {
        List<Range> before = ranges;
        ranges = new ArrayList<>();
        unit *= 2;
        before.forEach(range -> append(range.start / 2, Math.ceilDiv(range.end, 2), range.stored));
    }
}
