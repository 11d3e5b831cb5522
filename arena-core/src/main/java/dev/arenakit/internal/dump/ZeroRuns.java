package dev.arenakit.internal.dump;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Decodes consecutive structs, and combines consecutive structs that are zero into runs if runs are requested.
public final class ZeroRuns {
    /*
     * Structs that are zero are counted first and reported later. The next struct that is not zero ends the run. A run
     * of one struct is decoded like any other struct.
     */
    private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[1 << 14]).asReadOnly();

    private final DecoderContext context;
    private final long byteSize;
    private final boolean zeroRuns;
    /// The index of the next struct.
    private long index;
    /// The number of preceding structs that are zero and not reported yet.
    private long zeroCount;
    /// The bytes of the last struct that is not reported yet, or null if they are not in memory.
    private @Nullable MemorySegment zeroStruct;

    /// @param byteSize the size of a struct, at least 1
    /// @param index    the index of the first struct
    /// @param zeroRuns whether structs that are zero are combined into runs
    public ZeroRuns(DecoderContext context, long byteSize, long index, boolean zeroRuns) {
        this.context = context;
        this.byteSize = byteSize;
        this.index = index;
        this.zeroRuns = zeroRuns;
    }

    /// Returns zeros: at most the requested number, and at least one.
    static MemorySegment zeros(long byteSize) {
        return ZEROS.asSlice(0, Math.min(byteSize, ZEROS.byteSize()));
    }

    /// Decodes the complete structs. Their bytes must not change until [#release].
    ///
    /// @return the offset of the first byte that is not part of a complete struct
    public long decode(MemorySegment bytes, long from) throws IOException {
        long at = from;
        while (bytes.byteSize() - at >= byteSize) {
            long count = zeroRuns ? countZeros(bytes, at) : 0;
            if (count > 0) {
                at += count * byteSize;
                addZeros(count, bytes.asSlice(at - byteSize, byteSize));
            } else {
                reportZeros();
                context.decode(index++, bytes.asSlice(at, byteSize));
                at += byteSize;
            }
        }
        return at;
    }

    /// Decodes structs that are zero.
    void zeroStructs(long count) throws IOException {
        if (zeroRuns) {
            addZeros(count, null);
        } else if (count > 0) {
            MemorySegment struct = zeroStruct();
            for (long end = index + count; index < end; index++) {
                context.decode(index, struct);
            }
        }
    }

    /// Drops the references to all bytes, which may change from now on.
    void release() {
        zeroStruct = null;
    }

    /// Decodes the rest at the end of the source.
    ///
    /// @param rest the bytes of a struct that is cut off; may be empty
    public void finish(MemorySegment rest) throws IOException {
        reportZeros();
        if (rest.byteSize() > 0) {
            context.decode(index, rest);
        }
    }

    /// The number of consecutive structs that are zero from an offset.
    private long countZeros(MemorySegment bytes, long at) {
        // The first byte of most structs that are not zero is not zero.
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

    private void addZeros(long count, @Nullable MemorySegment last) {
        zeroCount += count;
        index += count;
        zeroStruct = last;
    }

    private void reportZeros() throws IOException {
        long count = zeroCount;
        zeroCount = 0;
        if (count > 1) {
            context.zeros(index - count, count);
        } else if (count == 1) {
            context.decode(index - 1, zeroStruct == null ? zeroStruct() : zeroStruct);
        }
    }

    private MemorySegment zeroStruct() {
        return byteSize <= ZEROS.byteSize() ? zeros(byteSize) : MemorySegment.ofArray(new byte[(int) byteSize]);
    }
}
