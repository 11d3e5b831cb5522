package dev.arenakit.mapped.internal.entries;

import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.mapped.internal.column.ColumnTableRows;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/// Reads the rows of a table of columns. The position of a row is its index.
public final class ColumnEntryReader implements EntryReader {
    /// The number of bytes of rows that are read at once. Larger reads are not faster.
    private static final long BATCH_BYTES = 1 << 17;

    /// A row is read in one piece.
    private static final long LARGEST_ROW = 1 << 26;

    private final EntrySource source;
    private final ColumnTableFormat format;
    private final long capacity;

    /// @throws IllegalArgumentException if the structure is damaged
    /// @throws IOException              if it cannot be read
    public ColumnEntryReader(EntrySource source) throws IOException {
        this.source = source;
        format = ColumnTableFormat.of(source.type());
        // The size of the memory is known by comparison only.
        capacity = format.check(source.header(), Long.MAX_VALUE);
        if (format.row().byteSize() > LARGEST_ROW || !source.bytes().contains(format.byteSize(capacity))) {
            throw source.damaged("rows are too large, or its memory too small: capacity=" + capacity
                    + ", rowByteSize=" + format.row().byteSize() + ", required=" + format.byteSize(capacity));
        }
    }

    @Override
    public long recordedCount() throws IOException {
        if (source.mayChange()) {
            source.bytes().read(0, source.header());
            if (format.check(source.header(), Long.MAX_VALUE) != capacity) {
                throw source.damaged("another capacity than before: capacity=" + capacity);
            }
        }
        return ColumnTableFormat.count(source.header());
    }

    @Override
    public EntryBatch entries(long first, Predicate<String> members) throws IOException {
        return new Rows(first, members);
    }

    @Override
    public void read(long position, MemorySegment into) throws IOException {
        if (position < 0 || position >= recordedCount()) {
            throw source.damaged("row=" + position + ", count=" + recordedCount());
        }
        new ColumnTableRows(format, capacity, _ -> true).read(source.bytes()::read, position, 1, into);
    }

    @Override
    public long check(Consumer<? super String> problems) throws IOException {
        return recordedCount();
    }

    private final class Rows extends EntryBatch {
        private final ColumnTableRows rows;
        private final long limit = recordedCount();
        private final int most = (int) Math.clamp(BATCH_BYTES / format.row().byteSize(), 1, limit + 1);
        private long next;

        Rows(long first, Predicate<String> members) throws IOException {
            next = first;
            rows = new ColumnTableRows(format, capacity, members);
            entries = MemorySegment.ofArray(
                    new long[Math.toIntExact(Math.ceilDiv(most * format.row().byteSize(), Long.BYTES))]);
        }

        @Override
        public boolean next() throws IOException {
            count = Math.clamp(limit - next, 0, most);
            if (count > 0) {
                rows.read(source.bytes()::read, next, count, entries);
                positions = LongStream.range(next, next + count).toArray();
                next += count;
            }
            return count > 0;
        }
    }
}
