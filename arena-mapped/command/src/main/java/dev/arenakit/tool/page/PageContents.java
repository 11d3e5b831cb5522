package dev.arenakit.tool.page;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.SparseFile;
import dev.arenakit.tool.image.ReadAhead;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.OptionalLong;

import tools.jackson.core.JsonGenerator;

/// Writes the first data of allocations, up to an equal share of the size that the page may have. What an allocation
/// does not use is left to the following ones. If there are too many, the first ones have some lines each, and the
/// others none.
final class PageContents {
    /// The largest number of bytes of an allocation: more lines of a hex dump are of no use.
    private static final int MAX_SHARE = ReadAhead.BYTE_SIZE;
    /// The smallest share, some lines of a hex dump, in characters.
    private static final int MIN_SHARE = 128;
    /// The largest number of extents of an allocation.
    private static final int MAX_EXTENTS = 4;
    /// The number of bytes in which the first byte that is not zero is searched.
    private static final int SEARCHED = 1 << 12;
    /// The number of bytes in a line of a hex dump.
    private static final int LINE = 16;
    /// The numbers of JavaScript are not exact beyond this limit.
    private static final long MAX_OFFSET = 1L << 53;
    /// The characters besides the Base64 text, which are its quotes, a comma and an offset.
    private static final int OVERHEAD = 16;

    private final JsonGenerator json;
    private final ReadAhead window = new ReadAhead();
    private long budget;
    private long allocations;

    /// @param budget      the number of characters of the page
    /// @param allocations the number of allocations that share them
    PageContents(JsonGenerator json, long budget, long allocations) {
        this.json = json;
        this.budget = budget;
        this.allocations = allocations;
    }

    /// Writes a flat array of offsets in the allocation, each followed by the bytes there in Base64. Of an allocation
    /// in several data files, those in the first one are written.
    ///
    /// @param structByteSize the size of the structs in the allocation, or 0 if it is unknown
    void write(Allocation allocation, SparseFile file, long structByteSize) throws IOException {
        long characters = Math.min(budget, Math.max(MIN_SHARE, budget / Math.max(1, allocations--)));
        long left = Math.min(MAX_SHARE, characters / 4 * 3) / LINE * LINE;
        long begin = allocation.byteOffset();
        long end = begin + Math.min(allocation.parts().getFirst().byteSize(), MAX_OFFSET);
        if (left < LINE) {
            return;
        }
        json.writeStartArray();
        OptionalLong data = file.nextData(begin);
        long written = 0;
        for (int i = 0; i < MAX_EXTENTS && left >= LINE && data.isPresent() && data.getAsLong() < end; i++) {
            long hole = Math.min(end, file.nextHole(data.getAsLong()).orElse(end));
            long from = Math.max(written, aligned(data.getAsLong() - begin, structByteSize));
            byte[] bytes = window.read(file, begin + from, Math.min(hole - begin - from, Math.max(left, SEARCHED)))
                    .toArray(ValueLayout.JAVA_BYTE);
            int first = (int) Math.max(0, aligned(from + firstNonZero(bytes), structByteSize) - from);
            int length = lengthWithoutZeros(bytes, first, (int) Math.min(bytes.length, first + left));
            if (length > 0) {
                json.writeNumber(from + first);
                json.writeBinary(bytes, first, length);
                left -= length;
                budget -= (length + 2) / 3 * 4 + OVERHEAD;
                written = from + first + length;
            }
            data = hole < end ? file.nextData(hole) : OptionalLong.empty();
        }
        json.writeEndArray();
    }

    /// The offset of the line in which the struct begins, so that the whole struct is shown.
    private static long aligned(long offset, long structByteSize) {
        long struct = structByteSize > 0 && structByteSize <= SEARCHED ? offset % structByteSize : 0;
        return (offset - struct) / LINE * LINE;
    }

    private static int firstNonZero(byte[] bytes) {
        int first = Arrays.mismatch(bytes, new byte[bytes.length]);
        return Math.max(0, first);
    }

    /// The number of bytes up to the end of the last line that is not zero.
    private static int lengthWithoutZeros(byte[] bytes, int first, int end) {
        int last = end;
        while (last > first && bytes[last - 1] == 0) {
            last--;
        }
        return Math.min(end, first + Math.ceilDiv(last - first, LINE) * LINE) - first;
    }
}
