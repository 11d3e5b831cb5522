package dev.arenakit.internal.dump;

import dev.arenakit.dump.ExtentSource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Divides the extents of a source into structs. A struct within one extent of data is decoded in place. A struct that
/// spans several extents is copied into a buffer. The buffer is allocated for the first such struct.
public final class StructAssembler implements ExtentSource.Sink {
    private static final byte[] NONE = {};

    private final ZeroRuns runs;
    private final int byteSize;
    private byte[] buffer = NONE;
    /// The number of bytes in the buffer.
    private int buffered;

    /// @param byteSize the size of a struct, at least 1
    public StructAssembler(ZeroRuns runs, int byteSize) {
        this.runs = runs;
        this.byteSize = byteSize;
    }

    @Override
    public void data(MemorySegment bytes) throws IOException {
        long from = buffered > 0 ? copy(bytes, 0) : 0;
        from = runs.decode(bytes, from);
        if (from < bytes.byteSize()) {
            copy(bytes, from);
        }
        runs.release();
    }

    @Override
    public void zeros(long byteSize) throws IOException {
        long left = byteSize;
        while (left > 0 && buffered > 0) {
            left -= copy(ZeroRuns.zeros(left), 0);
        }
        runs.zeroStructs(left / this.byteSize);
        left %= this.byteSize;
        while (left > 0) {
            left -= copy(ZeroRuns.zeros(left), 0);
        }
    }

    /// Decodes the rest at the end of the source.
    public void finish() throws IOException {
        runs.finish(MemorySegment.ofArray(buffer).asSlice(0, buffered));
    }

    /// Copies bytes into the buffer, up to the end of the struct, and decodes the struct if it is complete.
    ///
    /// @return the offset of the first byte that was not copied
    private long copy(MemorySegment bytes, long from) throws IOException {
        if (buffer.length == 0) {
            buffer = new byte[byteSize];
        }
        int count = (int) Math.min(byteSize - buffered, bytes.byteSize() - from);
        MemorySegment.copy(bytes, JAVA_BYTE, from, buffer, buffered, count);
        buffered += count;
        if (buffered == byteSize) {
            buffered = 0;
            runs.decode(MemorySegment.ofArray(buffer), 0);
            runs.release();
        }
        return from + count;
    }
}
