package dev.arenakit.tool;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.SparseFile;

import java.io.IOException;
import java.util.Arrays;
import java.util.OptionalLong;

import tools.jackson.core.JsonGenerator;

/// Writes the first data of allocations, of each no more than its share of what the page may hold. What one does not need is left
/// to those that follow.
final class HtmlContents {
    /// Of an allocation: as many lines of a hex dump as anybody reads.
    private static final int LARGEST_SHARE = FileWindow.BYTE_SIZE;
    /// Stretches of data with holes between them.
    private static final int PIECES = 4;
    /// Within so many bytes the first one that is not zero is searched.
    private static final int SEARCHED = 1 << 12;
    /// A line of a hex dump.
    private static final int LINE = 16;
    /// Beyond it numbers of JavaScript are not exact.
    private static final long REACH = 1L << 53;
    /// Base64, with its quotes, a comma and an offset: of 3 bytes 4 characters.
    private static final int OVERHEAD = 16;

    private final JsonGenerator json;
    private final FileWindow window = new FileWindow();
    private long budget;
    private long allocations;

    /// @param budget      how many characters of the page
    /// @param allocations how many share them
    HtmlContents(JsonGenerator json, long budget, long allocations) {
        this.json = json;
        this.budget = budget;
        this.allocations = allocations;
    }

    /// Writes a flat array of offsets in the allocation and bytes there, in base 64.
    ///
    /// @param structByteSize of what stands in it, or 1
    void write(Allocation allocation, SparseFile file, long structByteSize) throws IOException {
        long characters = budget / Math.max(1, allocations--);
        long left = Math.min(LARGEST_SHARE, characters / 4 * 3) / LINE * LINE;
        long begin = allocation.byteOffset();
        long end = begin + Math.min(allocation.byteSize(), REACH);
        json.writeStartArray();
        OptionalLong data = file.nextData(begin);
        long written = 0;
        for (int i = 0; i < PIECES && left >= LINE && data.isPresent() && data.getAsLong() < end; i++) {
            long hole = Math.min(end, file.nextHole(data.getAsLong()).orElse(end));
            long from = Math.max(written, aligned(data.getAsLong() - begin, structByteSize));
            byte[] bytes = window.read(file, begin + from, Math.min(hole - begin - from, Math.max(left, SEARCHED)));
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

    /// Where the line begins in which the struct does, so that it is shown as a whole.
    private static long aligned(long offset, long structByteSize) {
        long struct = structByteSize > 0 && structByteSize <= SEARCHED ? offset % structByteSize : 0;
        return (offset - struct) / LINE * LINE;
    }

    private static int firstNonZero(byte[] bytes) {
        int first = Arrays.mismatch(bytes, new byte[bytes.length]);
        return Math.max(0, first);
    }

    /// How many bytes there are up to the end of the last line that is not zero.
    private static int lengthWithoutZeros(byte[] bytes, int first, int end) {
        int last = end;
        while (last > first && bytes[last - 1] == 0) {
            last--;
        }
        return Math.min(end, first + Math.ceilDiv(last - first, LINE) * LINE) - first;
    }
}
