package dev.arenakit.tool.page;

import java.util.Arrays;
import tools.jackson.core.JsonGenerator;

/// A bounded number of ranges of data in a file. If there are too many ranges, their unit is doubled, and adjacent
/// ranges become one range.
final class PageWrittenRanges {
    /// The unit of holes in file systems.
    private static final long PAGE = 4096;
    private static final double PERCENT = 100;

    private final int limit;
    private long unit = PAGE;
    private int count;
    /// The ranges, in units.
    private long[] starts;
    private long[] ends;
    /// The number of bytes of data in each range.
    private long[] stored;

    /// @param limit the largest number of ranges, at least 1
    PageWrittenRanges(int limit) {
        this.limit = limit;
        int capacity = Math.min(limit + 1, 16);
        starts = new long[capacity];
        ends = new long[capacity];
        stored = new long[capacity];
    }

    /// Adds an extent, which follows the extents added before. The last page of a file counts as a whole.
    void add(long start, long end) {
        append(start / unit, Math.ceilDiv(end, unit), Math.ceilDiv(end, PAGE) * PAGE - start);
        while (count > limit) {
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
        for (int i = 0; i < count; i++) {
            json.writeNumber(starts[i] - end);
            json.writeNumber(ends[i] - starts[i]);
            double share = stored[i] / ((double) unit * (ends[i] - starts[i]));
            json.writeNumber((int) Math.clamp(Math.ceil(PERCENT * share), 1, PERCENT));
            end = ends[i];
        }
        json.writeEndArray();
    }

    private void append(long start, long end, long bytes) {
        if (count > 0 && start <= ends[count - 1]) {
            ends[count - 1] = Math.max(ends[count - 1], end);
            stored[count - 1] += bytes;
            return;
        }
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
            stored = Arrays.copyOf(stored, 2 * count);
        }
        starts[count] = start;
        ends[count] = end;
        stored[count++] = bytes;
    }

    private void coarsen() {
        int before = count;
        unit *= 2;
        count = 0;
        for (int i = 0; i < before; i++) {
            append(starts[i] / 2, Math.ceilDiv(ends[i], 2), stored[i]);
        }
    }
}
