package dev.arenakit.dump;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Walks structs one after the other; runs of those that are zero are told as such where that is asked for.
final class StructRuns {
    /*
     * Of the structs so far, the last ones that are zero are counted and not walked yet: only the next struct tells whether
     * there is a run, and where it ends.
     */
    private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[1 << 14]).asReadOnly();

    private final StructWalk walk;
    private final long byteSize;
    private final boolean zeroRuns;
    /// Of the next struct.
    private long index;
    /// How many structs before the next one are zero and not walked.
    private long zeroCount;
    /// The last of these where it is in memory.
    private @Nullable MemorySegment zeroStruct;

    /// @param byteSize the size of a struct, at least 1
    /// @param index    the index of the first struct
    /// @param zeroRuns whether runs of zeros are told as such
    StructRuns(StructWalk walk, long byteSize, long index, boolean zeroRuns) {
        this.walk = walk;
        this.byteSize = byteSize;
        this.index = index;
        this.zeroRuns = zeroRuns;
    }

    /// So many zeros, or as many as there are here.
    static MemorySegment zeros(long byteSize) {
        return ZEROS.asSlice(0, Math.min(byteSize, ZEROS.byteSize()));
    }

    /// Walks the structs that are whole. Their bytes are used up to [#release].
    ///
    /// @return where the rest begins
    long whole(MemorySegment bytes, long from) throws IOException {
        long at = from;
        while (bytes.byteSize() - at >= byteSize) {
            long count = zeroRuns ? countZeros(bytes, at) : 0;
            if (count > 0) {
                at += count * byteSize;
                zeros(count, bytes.asSlice(at - byteSize, byteSize));
            } else {
                tellZeros();
                walk.struct(index++, bytes.asSlice(at, byteSize));
                at += byteSize;
            }
        }
        return at;
    }

    /// Walks structs that are zero.
    void zeroStructs(long count) throws IOException {
        if (zeroRuns) {
            zeros(count, null);
        } else if (count > 0) {
            MemorySegment struct = zeroStruct();
            for (long end = index + count; index < end; index++) {
                walk.struct(index, struct);
            }
        }
    }

    /// Forgets all bytes, which may change from now on.
    void release() {
        zeroStruct = null;
    }

    /// Walks what is left at the end: a struct that is cut off, where there are any bytes of it.
    void finish(MemorySegment rest) throws IOException {
        tellZeros();
        if (rest.byteSize() > 0) {
            walk.struct(index, rest);
        }
    }

    /// How many structs from a place on are zero.
    private long countZeros(MemorySegment bytes, long at) {
        // Most structs that are not zero show it in their first byte.
        if (bytes.get(JAVA_BYTE, at) != 0) {
            return 0;
        }
        long end = at;
        long equal = -1;
        while (equal < 0 && end < bytes.byteSize()) {
            long size = Math.min(ZEROS.byteSize(), bytes.byteSize() - end);
            equal = MemorySegment.mismatch(bytes, end, end + size, ZEROS, 0, size);
            end += equal < 0 ? size : equal;
        }
        return (end - at) / byteSize;
    }

    private void zeros(long count, @Nullable MemorySegment last) {
        zeroCount += count;
        index += count;
        zeroStruct = last;
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
        return byteSize <= ZEROS.byteSize() ? zeros(byteSize) : MemorySegment.ofArray(new byte[(int) byteSize]);
    }
}
