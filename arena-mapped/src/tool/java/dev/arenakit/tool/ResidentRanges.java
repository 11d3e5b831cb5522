package dev.arenakit.tool;

import java.util.Arrays;
import tools.jackson.core.JsonGenerator;

/// Which parts of a file are data, in a bounded number of ranges: where there are more, the smallest unit in which ranges are told
/// is doubled, and neighbours become one.
final class ResidentRanges {
    /// The unit of file systems.
    private static final long PAGE = 4096;
    private static final double PERCENT = 100;

    private final int limit;
    private long unit = PAGE;
    private int count;
    /// In units.
    private long[] starts;
    private long[] ends;
    /// How many bytes of a range are data.
    private long[] stored;

    /// @param limit how many ranges there are at most, at least 1
    ResidentRanges(int limit) {
        this.limit = limit;
        int capacity = Math.min(limit + 1, 16);
        starts = new long[capacity];
        ends = new long[capacity];
        stored = new long[capacity];
    }

    /// Adds data, behind that which was added before. The last page of a file counts as a whole.
    void add(long start, long end) {
        append(start / unit, Math.ceilDiv(end, unit), Math.ceilDiv(end, PAGE) * PAGE - start);
        while (count > limit) {
            coarsen();
        }
    }

    /// How many ranges there are.
    int count() {
        return count;
    }

    /// How exactly the ranges are told, in bytes.
    long unit() {
        return unit;
    }

    /// Writes a flat array of threes: how many units a range begins behind the one before, how many it has, and how many percent
    /// of it are data.
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
