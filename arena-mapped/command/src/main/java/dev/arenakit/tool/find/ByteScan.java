package dev.arenakit.tool.find;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.tool.image.StoppedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Searches the extents of an allocation for a pattern, also across their boundaries. Zeros in holes count as bytes,
/// but only zeros close to data can belong to a match.
final class ByteScan implements ExtentSource.Sink {
    /// Accepts the offsets of matches, in ascending order.
    @FunctionalInterface
    interface Consumer {
        /// Accepts a match.
        ///
        /// @return whether to go on
        boolean accept(long byteOffset) throws IOException;
    }

    private static final int PIECE = 1 << 17;

    private final byte[] pattern;
    /// The index of the first byte of the pattern that is not zero: most bytes of images are zero.
    private final int anchor;
    private final Consumer consumer;
    /// Contains the last bytes of the previous pieces, where a match may begin, and then a new piece.
    private final byte[] buffer;
    private int held;
    /// The offset of the first byte of the buffer in the allocation.
    private long start;

    private ByteScan(byte[] pattern, long start, Consumer consumer) {
        this.pattern = pattern;
        anchor = Arrays.mismatch(pattern, new byte[pattern.length]);
        this.start = start;
        this.consumer = consumer;
        buffer = new byte[pattern.length - 1 + PIECE];
    }

    /// Searches a range of the bytes of an allocation.
    ///
    /// @param pattern has a byte that is not zero
    static void search(ExtentSource source, byte[] pattern, long from, long byteSize, Consumer consumer)
            throws IOException {
        try {
            source.transferTo(new ByteScan(pattern, from, consumer), from, byteSize);
        } catch (StoppedException e) {
            // The consumer has stopped the search.
        }
    }

    @Override
    public void data(MemorySegment bytes) throws IOException {
        for (long at = 0; at < bytes.byteSize();) {
            int count = (int) Math.min(PIECE, bytes.byteSize() - at);
            MemorySegment.copy(bytes, JAVA_BYTE, at, buffer, held, count);
            search(count);
            at += count;
        }
    }

    @Override
    public void zeros(long byteSize) throws IOException {
        int overlap = pattern.length - 1;
        for (long left = byteSize; left > 0;) {
            if (held == overlap && isHeldZero()) {
                // A match is not zero throughout, so it begins in the last of these zeros or after them.
                start += left;
                return;
            }
            int count = (int) Math.min(Math.clamp(overlap, 1, PIECE), left);
            Arrays.fill(buffer, held, held + count, (byte) 0);
            search(count);
            left -= count;
        }
    }

    private boolean isHeldZero() {
        for (int i = 0; i < held; i++) {
            if (buffer[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /// Searches the buffer, and retains the last bytes, where a match may begin.
    ///
    /// @param added the number of new bytes, after the retained bytes
    private void search(int added) throws IOException {
        int end = held + added;
        int to = Math.max(0, end - pattern.length + 1);
        for (int at = find(0, to); at >= 0; at = find(at + 1, to)) {
            if (!consumer.accept(start + at)) {
                throw new StoppedException();
            }
        }
        held = end - to;
        System.arraycopy(buffer, to, buffer, 0, held);
        start += to;
    }

    private int find(int from, int to) {
        for (int at = from; at < to; at++) {
            if (buffer[at + anchor] == pattern[anchor]
                    && Arrays.equals(buffer, at, at + pattern.length, pattern, 0, pattern.length)) {
                return at;
            }
        }
        return -1;
    }
}
