package dev.arenakit.sql.internal;

import dev.arenakit.internal.Memory;
import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.column.ColumnTableRows;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.buffer.StructBatch;
import dev.arenakit.sql.SqlException;
import dev.arenakit.sql.internal.column.SqlColumns;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/// The table of the structs in a segment. Scans read the structs by address, while the query holds the segment's arena
/// open.
public final class SegmentTable extends SqlTable {
    /// The limits of the number of structs that a thread takes at a time: enough to make the cost of taking them
    /// negligible.
    private static final long MOST_ROWS = 1 << 16;
    private static final long LEAST_ROWS = 1 << 11;
    private static final long MOST_COPIED_BYTES = 1 << 24;
    private static final String NO_QUERY = "no query holds its arena";

    private final MemorySegment segment;
    /// The format of a table of columns.
    private final Optional<ColumnTableFormat> columns;
    /// The number of structs, or the capacity of a table of columns.
    private final long rows;
    private volatile String refusal = NO_QUERY;

    /// @throws IllegalArgumentException if the type is the type of a table of columns, and the segment is none
    public SegmentTable(String name, StructType type, MemorySegment segment) {
        super(name, SqlColumns.of(ColumnTableFormat.recordedRow(type).orElse(type)));
        this.segment = segment;
        columns = ColumnTableFormat.recordedRow(type).map(ColumnTableFormat::of);
        rows = columns.isPresent() ? columns.get().check(segment) : segment.byteSize() / type.byteSize();
    }

    private MemorySegment memory() {
        return Memory.segment(segment.address(), segment.byteSize());
    }

    /// The number of structs, or the present number of rows of a table of columns.
    private long present() {
        return columns.isEmpty() ? rows : Math.clamp(ColumnTableFormat.count(memory()), 0, rows);
    }

    MemorySegment segment() {
        return segment;
    }

    /// Begins a query, and returns whether it may read the segment. If so, the query must hold the segment's arena
    /// open.
    boolean begin(Thread caller) {
        refusal = !segment.isAccessibleBy(caller)
                ? "its arena is confined to another thread, which alone may query it"
                : segment.scope().isAlive() ? "" : "its arena is closed";
        return refusal.isEmpty();
    }

    void end() {
        refusal = NO_QUERY;
    }

    @Override
    String refusal() {
        return refusal;
    }

    @Override
    OptionalLong rowCount() {
        return columns.isEmpty() ? OptionalLong.of(rows) : OptionalLong.empty();
    }

    @Override
    TableScan scan() {
        return new Scan();
    }

    private final class Scan implements TableScan {
        private final long rows = present();
        private final long step = Math.min(
                Math.clamp(rows / (4L * Runtime.getRuntime().availableProcessors()), LEAST_ROWS, MOST_ROWS),
                columns.isEmpty() ? MOST_ROWS : Math.max(1, MOST_COPIED_BYTES / structByteSize()));
        private final AtomicLong taken = new AtomicLong();

        @Override
        public boolean next(StructBatch structs, List<ColumnType.Column> used) {
            long first = taken.getAndAdd(step);
            if (first >= rows) {
                return false;
            }
            if (!refusal.isEmpty()) {
                throw new SqlException("Table cannot be read: table=" + name() + ", reason=" + refusal);
            }
            long count = Math.min(step, rows - first);
            if (columns.isPresent()) {
                new ColumnTableRows(columns.get(), SegmentTable.this.rows,
                        ColumnTableRows.members(columns.get().row(), used))
                        .copy(memory(), first, (int) count, structs.begin(first, (int) count));
                return true;
            }
            Objects.checkFromIndexSize(first * structByteSize(), count * structByteSize(), segment.byteSize());
            structs.set(Memory.segment(segment.address() + first * structByteSize(), count * structByteSize()), first,
                    (int) count);
            return true;
        }

        @Override
        public long threads() {
            return Math.ceilDiv(rows, step);
        }

        @Override
        public void close() {
            // The query releases the arena.
        }
    }
}
