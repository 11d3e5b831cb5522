package dev.arenakit.tool.diff;

import dev.arenakit.dump.ExtentSource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HexFormat;

/// Finds ranges of bytes that differ: `0x400..0x4ff: 256 bytes, 02 02 02 02 02 02 02 02 ... -> 00 00 ...`.
final class ByteDifferenceFinder implements RangeComparison.DifferenceFinder {
    /// A shorter run of equal bytes does not end a range, since these bytes may belong to values that differ.
    private static final int MIN_GAP = 16;
    /// The number of bytes of a range that are printed.
    private static final int SHOWN = 8;
    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);

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
        long size = ours.byteSize();
        for (long i = mismatch(ours, other, 0); i >= 0; i = mismatch(ours, other, i)) {
            if (end > 0 && at + i - end >= MIN_GAP) {
                flush();
            }
            if (end == 0) {
                start = at + i;
            }
            end = at + i + 1;
            i++;
            for (; i <= size - Long.BYTES; i += Long.BYTES) {
                long difference = ours.get(WORD, i) ^ other.get(WORD, i);
                if (difference == 0) {
                    break;
                }
                end = at + i + Long.BYTES - Long.numberOfLeadingZeros(difference) / Byte.SIZE;
            }
        }
    }

    @Override
    public void finish() throws IOException {
        if (end > 0) {
            flush();
        }
    }

    private void flush() throws IOException {
        if (report.wants("range")) {
            int shown = (int) Math.min(SHOWN, end - start);
            String more = end - start > SHOWN ? " ..." : "";
            report.bytes(start, end - start, HEX.formatHex(RangeComparison.bytes(one, start, shown)) + more,
                    HEX.formatHex(RangeComparison.bytes(two, start, shown)) + more);
        }
        end = 0;
    }

    private static long mismatch(MemorySegment ours, MemorySegment other, long from) {
        long size = ours.byteSize();
        long at = from >= size ? -1 : MemorySegment.mismatch(ours, from, size, other, from, size);
        return at < 0 ? -1 : from + at;
    }

}
