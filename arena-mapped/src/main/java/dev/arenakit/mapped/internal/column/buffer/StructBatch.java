package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.internal.Memory;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import dev.arenakit.mapped.internal.column.GrowingSegment;
import dev.arenakit.mapped.internal.column.RowRange;
import dev.arenakit.mapped.internal.files.AllocationBytes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.ref.Reference;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/// The structs of a batch: their bytes, and the indices that they have in their table. The memory for bytes that are
/// read is used again for the next batch. Not thread-safe.
public final class StructBatch {
    private final long structByteSize;
    private final GrowingSegment memory;
    private MemorySegment structs = MemorySegment.NULL;
    private long stride;
    private int count;
    private long first;
    /// The indices of the structs, unless they are consecutive.
    private long[] rowIds = {};
    private boolean isConsecutive = true;

    /// @param memory allocates native memory for bytes that are read
    public StructBatch(long structByteSize, SegmentAllocator memory) {
        this.structByteSize = structByteSize;
        this.memory = new GrowingSegment(memory);
    }

    public int count() {
        return count;
    }

    /// The index of a struct in its table.
    public long rowId(int row) {
        return isConsecutive ? first + row : rowIds[row];
    }

    /// Begins a batch of consecutive structs in memory of the caller.
    ///
    /// @param from the structs, which are valid until the next batch
    public void set(MemorySegment from, long firstRow, int rows) {
        set(from, structByteSize, firstRow, rows);
    }

    private void set(MemorySegment from, long bytesBetween, long firstRow, int rows) {
        structs = from;
        stride = bytesBetween;
        first = firstRow;
        isConsecutive = true;
        count = rows;
    }

    /// Begins a batch of consecutive structs.
    ///
    /// @return the memory for their bytes
    public MemorySegment begin(long firstRow, int rows) {
        set(memory.atLeast(rows * structByteSize), firstRow, rows);
        return structs.asSlice(0, rows * structByteSize);
    }

    /// Begins a batch of structs whose bytes are all zero, or are not used.
    public void setUnread(RowRange range) {
        set(memory.atLeast(structByteSize), 0, range.first(), Math.toIntExact(range.count()));
        structs.asSlice(0, structByteSize).fill((byte) 0);
    }

    /// Begins a batch of structs that are read.
    ///
    /// @param zeros whether structs whose bytes are all zero are rows
    public void read(AllocationBytes bytes, RowRange range, boolean zeros) throws IOException {
        if (range.isHole()) {
            setUnread(range);
            return;
        }
        bytes.read(range.first() * structByteSize, begin(range.first(), Math.toIntExact(range.count())));
        if (!zeros) {
            retainRuns(this::firstZero);
        }
    }

    /// Returns the position of the first struct whose bytes are all zero, or the end. Nearly all structs differ from
    /// zero in their first bytes, so that checks of a scope would take longer than the search.
    private int firstZero(int from) {
        MemorySegment read = structs;
        int row = from;
        try {
            while (row < count && !isZero(read.address() + row * structByteSize)) {
                row++;
            }
            return row;
        } finally {
            // An address does not keep memory of an automatic arena.
            Reference.reachabilityFence(read);
        }
    }

    private boolean isZero(long struct) {
        long at = struct;
        long end = struct + structByteSize;
        while (at + Long.BYTES <= end && Memory.getLong(at) == 0) {
            at += Long.BYTES;
        }
        while (at < end && Memory.getByte(at) == 0) {
            at++;
        }
        return at == end;
    }

    /// Retains the structs that pass a test, by their positions in the batch. The structs must have been read.
    public void retain(IntPredicate test) {
        retainRuns(from -> {
            int row = from;
            while (row < count && test.test(row)) {
                row++;
            }
            return row;
        });
    }

    /// @param ends returns the position of the first struct that is not retained, from a position on
    private void retainRuns(IntUnaryOperator ends) {
        int kept = 0;
        int end;
        for (int begin = 0; begin < count; begin = end + 1) {
            end = ends.applyAsInt(begin);
            if (kept < begin && begin < end) {
                makeRowIds();
                System.arraycopy(rowIds, begin, rowIds, kept, end - begin);
                MemorySegment.copy(structs, begin * stride, structs, kept * stride, (end - begin) * stride);
            }
            kept += end - begin;
        }
        count = kept;
    }

    private void makeRowIds() {
        if (isConsecutive) {
            if (rowIds.length < count) {
                rowIds = new long[count];
            }
            for (int row = 0; row < count; row++) {
                rowIds[row] = first + row;
            }
            isConsecutive = false;
        }
    }

    /// Copies structs to the first rows of columns.
    ///
    /// @param from the position of the first struct in the batch
    /// @throws ConversionFailure if a value cannot be converted
    public void copyTo(StructColumns columns, int from, int rows) {
        columns.begin();
        columns.write(structs, from * stride, stride, rows, 0);
    }

    /// The index of a struct with a value that could not be converted, and the reason.
    ///
    /// @param from the position of the first struct that was copied
    public String describe(ConversionFailure failure, int from) {
        int row = stride == 0 ? from : (int) (failure.byteOffset / stride);
        return "rowid=" + rowId(row) + ", reason=" + failure.getMessage();
    }
}
