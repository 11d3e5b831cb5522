package dev.arenakit.dump;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Makes structs of the runs of a source.
final class StructSink implements ExtentSource.Sink {
    /*
     * Structs that stand within one piece of data are walked where they are. One that straddles pieces is gathered in a
     * buffer of its size, which there is from the first such one on.
     *
     * Where runs of zeros are told as such, the last of the structs so far that are zero are counted and not walked yet:
     * only the next one tells whether there is a run, and where it ends.
     */
    private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[1 << 14]).asReadOnly();

    private final StructWalk walk;
    private final long byteSize;
    private final boolean zeroRuns;
    /// Of the next struct.
    private long index;
    private byte @Nullable [] buffer;
    private int gathered;
    /// How many structs before the next one are zero and not walked.
    private long zeroCount;
    /// The last of these where it is in memory.
    private @Nullable MemorySegment zeroStruct;

    /// @param byteSize the size of a struct, at least 1
    /// @param index    the index of the first struct
    /// @param zeroRuns whether runs of zeros are told as such
    StructSink(StructWalk walk, long byteSize, long index, boolean zeroRuns) {
        this.walk = walk;
        this.byteSize = byteSize;
        this.index = index;
        this.zeroRuns = zeroRuns;
    }

    @Override
    public void data(MemorySegment bytes) throws IOException {
        long from = gathered > 0 ? gather(bytes, 0) : 0;
        from = whole(bytes, from);
        if (from < bytes.byteSize()) {
            gather(bytes, from);
        }
        // These bytes are the source's again.
        zeroStruct = null;
    }

    @Override
    public void zeros(long byteSize) throws IOException {
        long left = byteSize;
        while (left > 0 && gathered > 0) {
            left -= gather(atMost(left), 0);
        }
        zeroStructs(left / this.byteSize);
        left %= this.byteSize;
        while (left > 0) {
            left -= gather(atMost(left), 0);
        }
    }

    /// Walks the whole structs that stand one after the other.
    ///
    /// @return where the rest begins
    long whole(MemorySegment bytes, long from) throws IOException {
        long at = from;
        while (bytes.byteSize() - at >= byteSize) {
            long count = zeroRuns ? zeroCount(bytes, at) : 0;
            if (count > 0) {
                at += count * byteSize;
                zeroStructs(count);
                zeroStruct = bytes.asSlice(at - byteSize, byteSize);
            } else {
                tellZeros();
                walk.struct(index++, bytes.asSlice(at, byteSize));
                at += byteSize;
            }
        }
        return at;
    }

    /// Walks what is left, at the end of the source.
    void finish() throws IOException {
        finish(buffer == null ? ZEROS.asSlice(0, 0) : MemorySegment.ofArray(buffer).asSlice(0, gathered));
    }

    /// Walks a struct that is cut off, where there are any bytes of it.
    void finish(MemorySegment rest) throws IOException {
        tellZeros();
        if (rest.byteSize() > 0) {
            walk.struct(index, rest);
        }
    }

    /// Adds bytes to the struct that is gathered, up to its end, where it is walked.
    ///
    /// @return where the rest begins
    private long gather(MemorySegment bytes, long from) throws IOException {
        byte[] struct = buffer == null ? new byte[(int) byteSize] : buffer;
        buffer = struct;
        int count = (int) Math.min(byteSize - gathered, bytes.byteSize() - from);
        MemorySegment.copy(bytes, JAVA_BYTE, from, struct, gathered, count);
        gathered += count;
        if (gathered == byteSize) {
            gathered = 0;
            whole(MemorySegment.ofArray(struct), 0);
            zeroStruct = null;
        }
        return from + count;
    }

    private void zeroStructs(long count) throws IOException {
        if (zeroRuns) {
            zeroCount += count;
            index += count;
            zeroStruct = null;
        } else if (count > 0) {
            MemorySegment struct = zeroStruct();
            for (long end = index + count; index < end; index++) {
                walk.struct(index, struct);
            }
        }
    }

    /// How many structs from a place on are zero.
    private long zeroCount(MemorySegment bytes, long at) {
        long end = at;
        while (end < bytes.byteSize()) {
            long size = Math.min(ZEROS.byteSize(), bytes.byteSize() - end);
            long equal = MemorySegment.mismatch(bytes, end, end + size, ZEROS, 0, size);
            end += equal < 0 ? size : equal;
            if (equal >= 0) {
                break;
            }
        }
        return (end - at) / byteSize;
    }

    private void tellZeros() throws IOException {
        long count = zeroCount;
        zeroCount = 0;
        if (count > 1) {
            walk.zeros(index - count, count);
        } else if (count == 1) {
            walk.struct(index - 1, zeroStruct == null ? zeroStruct() : zeroStruct);
        }
    }

    private MemorySegment zeroStruct() {
        return byteSize <= ZEROS.byteSize() ? atMost(byteSize) : MemorySegment.ofArray(new byte[(int) byteSize]);
    }

    /// So many zeros, or fewer.
    private static MemorySegment atMost(long byteSize) {
        return ZEROS.asSlice(0, Math.min(byteSize, ZEROS.byteSize()));
    }
}
