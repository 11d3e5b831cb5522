package dev.arenakit.tool.structs;

import dev.arenakit.dump.ExtentSource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Divides the extents of an allocation into structs. The structs within an extent are passed in place. A struct that
/// spans several extents is copied into a buffer. A last struct that is cut off is left out.
public final class StructPieces implements ExtentSource.Sink {
    /// Accepts structs.
    @FunctionalInterface
    public interface Consumer {
        /// Accepts one or more consecutive structs.
        ///
        /// @param index   the index of the first struct
        /// @param structs their bytes, which are valid during the call
        void accept(long index, MemorySegment structs) throws IOException;
    }

    private final int byteSize;
    private final boolean hasZeros;
    private final Consumer consumer;
    private MemorySegment buffer = MemorySegment.NULL;
    /// The number of bytes in the buffer.
    private long buffered;
    /// The index of the next struct.
    private long index;

    /// @param byteSize the size of a struct, at least 1
    /// @param index    the index of the first struct
    /// @param hasZeros whether structs within extents of zeros are passed too
    public StructPieces(int byteSize, long index, boolean hasZeros, Consumer consumer) {
        this.byteSize = byteSize;
        this.index = index;
        this.hasZeros = hasZeros;
        this.consumer = consumer;
    }

    /// The index of the next struct.
    public long index() {
        return index;
    }

    @Override
    public void data(MemorySegment bytes) throws IOException {
        long from = buffered > 0 ? copy(bytes, 0) : 0;
        long whole = (bytes.byteSize() - from) / byteSize;
        if (whole > 0) {
            consumer.accept(index, bytes.asSlice(from, whole * byteSize));
            index += whole;
        }
        if (from + whole * byteSize < bytes.byteSize()) {
            copy(bytes, from + whole * byteSize);
        }
    }

    @Override
    public void zeros(long count) throws IOException {
        long left = count;
        while (left > 0) {
            if (buffered == 0 && !hasZeros) {
                index += left / byteSize;
                left %= byteSize;
            }
            if (left > 0) {
                left -= copy(MemorySegment.ofArray(new byte[(int) Math.min(left, byteSize - buffered)]), 0);
            }
        }
    }

    /// Copies bytes into the buffer, up to the end of the struct, and passes the struct if it is complete.
    ///
    /// @return the offset of the first byte that was not copied
    private long copy(MemorySegment bytes, long from) throws IOException {
        if (buffer.byteSize() == 0) {
            buffer = MemorySegment.ofArray(new byte[byteSize]);
        }
        long count = Math.min(byteSize - buffered, bytes.byteSize() - from);
        MemorySegment.copy(bytes, from, buffer, buffered, count);
        buffered += count;
        if (buffered == byteSize) {
            buffered = 0;
            consumer.accept(index++, buffer);
        }
        return from + count;
    }
}
