package dev.arenakit.sql.internal;

import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.internal.files.AllocationBytes;
import dev.arenakit.sql.SqlException;
import dev.arenakit.sql.internal.duckdb.NativeMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
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
        private long nextRow;
        /// The end of the data that was found last.
        private long dataEnd;

        Scan(boolean zeroRows) throws IOException {
            this.zeroRows = zeroRows;
            bytes = new AllocationBytes(files, parts);
            rows = bytes.byteSize() / structByteSize();
        }

        private record Range(long first, int count, boolean isHole) {}

        @Override
        public boolean next(ScanThread thread) throws IOException {
            while (true) {
                if (cancelled.getAsBoolean()) {
                    throw new SqlException("Query was cancelled");
                }
                Range range = take();
                if (range.count == 0) {
                    return false;
                }
                if (read(range, thread)) {
                    return true;
                }
            }
        }

        /// Takes the next structs that have data. Also takes structs in holes, if zero structs are rows.
        private synchronized Range take() throws IOException {
            long byteSize = structByteSize();
            long first = nextRow;
            boolean isHole = false;
            if (first < rows && first * byteSize >= dataEnd) {
                long data = bytes.nextData(first * byteSize);
                long dataRow = data / byteSize;
                if (zeroRows && dataRow > first) {
                    isHole = true;
                } else {
                    first = dataRow;
                    dataEnd = data < bytes.byteSize() ? bytes.nextHole(data) : data;
                }
            }
            long end = isHole
                    ? Math.min(rows, bytes.nextData(first * byteSize) / byteSize)
                    : Math.min(rows, Math.ceilDiv(dataEnd, byteSize));
            int count = (int) Math.clamp(end - first, 0, step);
            nextRow = Math.max(nextRow, first + count);
            return new Range(first, count, isHole);
        }

        private boolean read(Range range, ScanThread thread) throws IOException {
            long byteSize = structByteSize();
            MemorySegment buffer = thread.buffer(step * byteSize);
            if (range.isHole) {
                thread.setRows(buffer.asSlice(0, byteSize).fill((byte) 0).address(), 0, range.first, range.count);
                return true;
            }
            bytes.read(range.first * byteSize, buffer.asSlice(0, range.count * byteSize));
            if (zeroRows) {
                thread.setRows(buffer.address(), byteSize, range.first, range.count);
                return true;
            }
            return compact(range, buffer.address(), thread);
        }

        /// Removes the structs whose bytes are all zero.
        private boolean compact(Range range, long address, ScanThread thread) {
            long byteSize = structByteSize();
            long[] rowIds = thread.rowIds((int) step);
            int kept = 0;
            for (int i = 0; i < range.count; i++) {
                long struct = address + i * byteSize;
                if (!NativeMemory.isZero(struct, byteSize)) {
                    if (kept < i) {
                        NativeMemory.copy(struct, address + kept * byteSize, byteSize);
                    }
                    rowIds[kept++] = range.first + i;
                }
            }
            thread.setRows(address, byteSize, rowIds, kept);
            return kept > 0;
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
