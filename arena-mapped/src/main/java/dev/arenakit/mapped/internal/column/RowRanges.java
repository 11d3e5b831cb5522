package dev.arenakit.mapped.internal.column;

import dev.arenakit.mapped.internal.files.AllocationBytes;
import java.io.IOException;

/// Finds the structs of an allocation that are not in holes, range by range. Not thread-safe.
public final class RowRanges {
    /// To read a smaller hole takes less time than to begin another read.
    private static final long SMALLEST_HOLE = 1 << 16;

    private final AllocationBytes bytes;
    private final long structByteSize;
    private final boolean withHoles;
    /// The structs that were not looked for yet.
    private RowRange unknown;
    private RowRange found = new RowRange(0, 0, false);

    /// @param wanted    the structs to find; the other structs are left out
    /// @param withHoles whether structs in holes are rows
    public RowRanges(AllocationBytes bytes, long structByteSize, RowRange wanted, boolean withHoles) {
        this.bytes = bytes;
        this.structByteSize = structByteSize;
        this.withHoles = withHoles;
        unknown = wanted.intersect(new RowRange(0, bytes.byteSize() / structByteSize, false));
    }

    /// Returns the next range, which is empty at the end.
    ///
    /// @param most the largest number of structs
    public RowRange next(long most) throws IOException {
        if (found.count() == 0 && unknown.count() > 0) {
            found = find(most);
            unknown = unknown.after(found);
        }
        RowRange next = found.first(most);
        found = found.after(next);
        return next;
    }

    private RowRange find(long most) throws IOException {
        long end = unknown.end();
        long data = bytes.nextData(unknown.first() * structByteSize);
        long first = Math.min(data / structByteSize, end);
        if (withHoles && first > unknown.first()) {
            return new RowRange(unknown.first(), first, true);
        }
        if (first == end) {
            return new RowRange(end, end, false);
        }
        long limit = first + Math.min(end - first, most);
        return new RowRange(first, Math.min(Math.ceilDiv(endOfData(data, limit * structByteSize), structByteSize), end),
                false);
    }

    private long endOfData(long data, long limit) throws IOException {
        long hole = bytes.nextHole(data);
        while (hole < limit) {
            long next = bytes.nextData(hole);
            if (next >= limit || next - hole >= SMALLEST_HOLE) {
                break;
            }
            hole = bytes.nextHole(next);
        }
        return hole;
    }
}
