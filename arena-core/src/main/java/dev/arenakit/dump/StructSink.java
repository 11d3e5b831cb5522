package dev.arenakit.dump;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Makes structs of what a source tells. Those within one piece of data are walked where they are; one that straddles pieces is
/// gathered in a buffer of its size, which there is from the first such one on.
final class StructSink implements ExtentSource.Sink {
    private static final byte[] NONE = {};

    private final StructRuns runs;
    private final int byteSize;
    private byte[] buffer = NONE;
    private int gathered;

    /// @param byteSize the size of a struct, at least 1
    StructSink(StructRuns runs, int byteSize) {
        this.runs = runs;
        this.byteSize = byteSize;
    }

    @Override
    public void data(MemorySegment bytes) throws IOException {
        long from = gathered > 0 ? gather(bytes, 0) : 0;
        from = runs.whole(bytes, from);
        if (from < bytes.byteSize()) {
            gather(bytes, from);
        }
        runs.release();
    }

    @Override
    public void zeros(long byteSize) throws IOException {
        long left = byteSize;
        while (left > 0 && gathered > 0) {
            left -= gather(StructRuns.zeros(left), 0);
        }
        runs.zeroStructs(left / this.byteSize);
        left %= this.byteSize;
        while (left > 0) {
            left -= gather(StructRuns.zeros(left), 0);
        }
    }

    /// Walks what is left, at the end of the source.
    void finish() throws IOException {
        runs.finish(MemorySegment.ofArray(buffer).asSlice(0, gathered));
    }

    /// Adds bytes to the struct that is gathered, up to its end, where it is walked.
    ///
    /// @return where the rest begins
    private long gather(MemorySegment bytes, long from) throws IOException {
        if (buffer.length == 0) {
            buffer = new byte[byteSize];
        }
        int count = (int) Math.min(byteSize - gathered, bytes.byteSize() - from);
        MemorySegment.copy(bytes, JAVA_BYTE, from, buffer, gathered, count);
        gathered += count;
        if (gathered == byteSize) {
            gathered = 0;
            runs.whole(MemorySegment.ofArray(buffer), 0);
            runs.release();
        }
        return from + count;
    }
}
