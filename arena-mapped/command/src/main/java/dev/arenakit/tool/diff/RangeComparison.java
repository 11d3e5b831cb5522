package dev.arenakit.tool.diff;

import dev.arenakit.dump.ExtentSource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Compares the bytes of two allocations. Holes that are in both allocations are not read.
final class RangeComparison implements ExtentSource.Sink {
    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

    private final ExtentSource two;
    private final DifferenceFinder finder;
    private long at;

    private RangeComparison(ExtentSource two, long from, DifferenceFinder finder) {
        this.two = two;
        this.finder = finder;
        at = from;
    }

    /// Compares a range of two allocations. Bytes beyond the end of a truncated file count as zeros.
    ///
    /// @param finder must not read from these two sources
    static void compare(ExtentSource one, ExtentSource two, long from, long to, DifferenceFinder finder)
            throws IOException {
        if (from < to) {
            RangeComparison comparison = new RangeComparison(two, from, finder);
            one.transferTo(comparison, from, to - from);
            comparison.zeros(to - comparison.at);
        }
    }

    /// Reads bytes. Holes, and bytes beyond the end, are zero.
    static MemorySegment read(ExtentSource source, long at, long byteSize) throws IOException {
        MemorySegment bytes = MemorySegment.ofArray(new byte[Math.toIntExact(byteSize)]);
        source.transferTo(new ExtentSource.Sink() {
            private long done;

            @Override
            public void data(MemorySegment data) {
                MemorySegment.copy(data, 0, bytes, done, data.byteSize());
                done += data.byteSize();
            }

            @Override
            public void zeros(long byteSize) {
                done += byteSize;
            }
        }, at, byteSize);
        return bytes;
    }

    /// Returns bytes as hexadecimal digits: `02 0a ff`.
    static String hex(ExtentSource source, long at, long byteSize) throws IOException {
        return HEX.formatHex(read(source, at, byteSize).toArray(JAVA_BYTE));
    }

    @Override
    public void data(MemorySegment ours) throws IOException {
        compare(ours, read(two, at, ours.byteSize()));
    }

    @Override
    public void zeros(long byteSize) throws IOException {
        long end = at + byteSize;
        two.transferTo(new ExtentSource.Sink() {
            @Override
            public void data(MemorySegment other) throws IOException {
                compare(MemorySegment.ofArray(new byte[(int) other.byteSize()]), other);
            }

            @Override
            public void zeros(long byteSize) {
                at += byteSize;
            }
        }, at, byteSize);
        at = end;
    }

    private void compare(MemorySegment ours, MemorySegment other) throws IOException {
        if (ours.mismatch(other) >= 0) {
            finder.accept(at, ours, other);
        }
        at += ours.byteSize();
    }

    /// Finds and reports the differences between the bytes of two allocations. It accepts the bytes piece by piece, in
    /// order, and equal pieces are left out.
    interface DifferenceFinder {
        /// Accepts a piece of both allocations. Some of its bytes differ.
        ///
        /// @param at    the offset of the piece
        /// @param ours  the bytes of the first allocation
        /// @param other as many bytes of the second allocation
        void accept(long at, MemorySegment ours, MemorySegment other) throws IOException;
    }
}
