package dev.arenakit.tool.diff;

import dev.arenakit.dump.ExtentSource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Finds ranges of bytes that differ: `0x400..0x4ff: 256 bytes, 02 02 02 02 02 02 02 02 ... -> 00 00 ...`.
final class ByteDifferenceFinder implements RangeComparison.DifferenceFinder {
    /// A shorter run of equal bytes does not end a range, since these bytes may belong to values that differ.
    private static final int MIN_GAP = 16;
    /// The number of bytes of a range that are printed.
    private static final int SHOWN = 8;

    private final DiffReport report;
    private final ExtentSource one;
    private final ExtentSource two;
    /// The current range, which later bytes may extend. If its end is 0, there is no current range.
    private long start;
    private long end;

    ByteDifferenceFinder(DiffReport report, ExtentSource one, ExtentSource two) {
        this.report = report;
        this.one = one;
        this.two = two;
    }

    @Override
    public void accept(long at, MemorySegment ours, MemorySegment other) throws IOException {
        for (long i = ours.mismatch(other); i >= 0 && i < ours.byteSize(); i++) {
            if (ours.get(JAVA_BYTE, i) != other.get(JAVA_BYTE, i)) {
                if (end > 0 && at + i - end >= MIN_GAP) {
                    finish();
                }
                start = end == 0 ? at + i : start;
                end = at + i + 1;
            }
        }
    }

    /// Reports the last range.
    void finish() throws IOException {
        if (end > 0 && report.wants("range")) {
            long shown = Math.min(SHOWN, end - start);
            String more = end - start > SHOWN ? " ..." : "";
            report.bytes(start, end - start, RangeComparison.hex(one, start, shown) + more,
                    RangeComparison.hex(two, start, shown) + more);
        }
        end = 0;
    }
}
