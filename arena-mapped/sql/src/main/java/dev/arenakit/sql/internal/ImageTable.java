package dev.arenakit.sql.internal;

import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.RowRange;
import dev.arenakit.mapped.internal.column.RowRanges;
import dev.arenakit.mapped.internal.column.TableColumns;
import dev.arenakit.mapped.internal.column.buffer.StructBatch;
import dev.arenakit.mapped.internal.files.AllocationBytes;
import dev.arenakit.sql.SqlException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;

/// The table of the structs in an allocation of an image.
final class ImageTable extends SqlTable {
    /// The number of bytes that a thread reads at a time. A larger buffer does not read faster.
    private static final long STEP = 1 << 17;

    private final List<Path> files;
    private final List<AllocationPart> parts;
    private final BooleanSupplier withZeroRows;
    private final BooleanSupplier cancelled;

    /// @param withZeroRows whether structs whose bytes are all zero are rows
    /// @param cancelled    whether the current query shall end
    ImageTable(String name, TableColumns columns, List<Path> files, List<AllocationPart> parts,
            BooleanSupplier withZeroRows, BooleanSupplier cancelled) {
        super(name, columns);
        this.files = files;
        this.parts = parts;
        this.withZeroRows = withZeroRows;
        this.cancelled = cancelled;
    }

    @Override
    TableScan scan() throws IOException {
        try {
            return new Scan(withZeroRows.getAsBoolean());
        } catch (NoSuchFileException e) {
            throw new SqlException("Data file is missing: path=" + e.getFile(), e);
        }
    }

    private final class Scan implements TableScan {
        private final AllocationBytes bytes;
        private final boolean zeroRows;
        private final long rows;
        private final long step = Math.max(1, STEP / structByteSize());
        /// Guarded by this object.
        private final RowRanges ranges;

        Scan(boolean zeroRows) throws IOException {
            this.zeroRows = zeroRows;
            bytes = new AllocationBytes(files, parts);
            rows = bytes.byteSize() / structByteSize();
            ranges = new RowRanges(bytes, structByteSize(), RowRange.ALL, zeroRows);
        }

        @Override
        public boolean next(StructBatch structs, List<ColumnType.Column> used) throws IOException {
            while (true) {
                if (cancelled.getAsBoolean()) {
                    throw new SqlException("Query was cancelled");
                }
                RowRange range = take();
                if (range.count() == 0) {
                    return false;
                }
                structs.read(bytes, range, zeroRows);
                if (structs.count() > 0) {
                    return true;
                }
            }
        }

        private synchronized RowRange take() throws IOException {
            return ranges.next(step);
        }

        @Override
        public long threads() {
            return Math.min(Runtime.getRuntime().availableProcessors(), Math.ceilDiv(rows, step));
        }

        @Override
        public void close() {
            bytes.close();
        }
    }
}
