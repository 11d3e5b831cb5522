package dev.arenakit.tool.diff;

import dev.arenakit.dump.ExtentSource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Compares the bytes of two allocations. Holes that are in both allocations are not read.
final class RangeComparison implements ExtentSource.Sink {
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
        finder.finish();
    }

    /// Reads bytes. Holes, and bytes beyond the end, are zero.
    static byte[] bytes(ExtentSource source, long at, int count) throws IOException {
        byte[] bytes = new byte[count];
        source.transferTo(new ExtentSource.Sink() {
            private long done;

            @Override
            public void data(MemorySegment data) {
                MemorySegment.copy(data, 0, MemorySegment.ofArray(bytes), done, data.byteSize());
                done += data.byteSize();
            }

            @Override
            public void zeros(long byteSize) {
                done += byteSize;
            }
        }, at, count);
        return bytes;
    }

    @Override
    public void data(MemorySegment ours) throws IOException {
        compare(ours, MemorySegment.ofArray(bytes(two, at, (int) ours.byteSize())));
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

        /// Accepts the end of the allocations.
        default void finish() throws IOException {}
    }
}
