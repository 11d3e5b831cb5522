package dev.arenakit.tool.where;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.tool.image.StoppedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Searches the extents of an allocation. The structs within a piece are searched in place. A struct that spans several
/// pieces or extents is copied into a buffer.
final class WhereSearch implements ExtentSource.Sink {
    private static final byte[] NONE = {};

    private final WhereFilter filter;
    private final int byteSize;
    private final WhereFilter.Consumer consumer;
    private byte[] buffer = NONE;
    /// The number of bytes in the buffer.
    private int buffered;
    /// The index of the next struct.
    private long index;

    WhereSearch(WhereFilter filter, long index, WhereFilter.Consumer consumer) {
        this.filter = filter;
        this.index = index;
        this.consumer = consumer;
        byteSize = filter.byteSize();
    }

    @Override
    public void data(MemorySegment bytes) throws IOException {
        long from = buffered > 0 ? copy(bytes, 0) : 0;
        long structs = (bytes.byteSize() - from) / byteSize;
        search(bytes, from, from + structs * byteSize);
        from += structs * byteSize;
        if (from < bytes.byteSize()) {
            copy(bytes, from);
        }
    }

    @Override
    public void zeros(long byteSize) throws IOException {
        long left = byteSize;
        if (buffered > 0) {
            left -= addZeros(left);
        }
        index += left / this.byteSize;
        addZeros(left % this.byteSize);
    }

    private void search(MemorySegment bytes, long from, long to) throws IOException {
        long first = index;
        index += (to - from) / byteSize;
        for (long at = filter.next(bytes, from, to, first); at >= 0;) {
            long end = at + byteSize;
            long next = next(bytes, end, from, to, first);
            while (next == end) {
                end += byteSize;
                next = next(bytes, end, from, to, first);
            }
            if (!consumer.accept(first + (at - from) / byteSize, (end - at) / byteSize, bytes.asSlice(at, end - at))) {
                throw new StoppedException();
            }
            at = next;
        }
    }

    private long next(MemorySegment bytes, long at, long from, long to, long first) {
        return filter.next(bytes, at, to, first + (at - from) / byteSize);
    }

    /// Copies bytes into the buffer, up to the end of the struct, and searches the struct if it is complete.
    ///
    /// @return the offset of the first byte that was not copied
    private long copy(MemorySegment bytes, long from) throws IOException {
        int count = (int) Math.min(byteSize - buffered, bytes.byteSize() - from);
        MemorySegment.copy(bytes, JAVA_BYTE, from, buffer(), buffered, count);
        added(count);
        return from + count;
    }

    private long addZeros(long most) throws IOException {
        int count = (int) Math.min(byteSize - buffered, most);
        if (count > 0) {
            Arrays.fill(buffer(), buffered, buffered + count, (byte) 0);
            added(count);
        }
        return count;
    }

    private void added(int count) throws IOException {
        buffered += count;
        if (buffered == byteSize) {
            buffered = 0;
            search(MemorySegment.ofArray(buffer), 0, byteSize);
        }
    }

    private byte[] buffer() {
        if (buffer.length == 0) {
            buffer = new byte[byteSize];
        }
        return buffer;
    }
}
