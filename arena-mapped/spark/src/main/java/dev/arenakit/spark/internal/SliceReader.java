package dev.arenakit.spark.internal;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.column.ColumnTableRows;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.RowRange;
import dev.arenakit.mapped.internal.column.TableColumns;
import dev.arenakit.mapped.internal.column.buffer.StructBatch;
import dev.arenakit.mapped.internal.files.AllocationBytes;
import dev.arenakit.spark.internal.vector.StructVectors;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/// Reads structs of one image.
final class SliceReader implements AutoCloseable {
    /// The number of bytes that are read at a time, unless a struct is larger.
    private static final int BYTES = 1 << 17;
    private static final int MOST_ROWS = 1 << 13;

    private final ImageReaderFactory query;
    private final ImageSlice slice;
    private final AllocationBytes bytes;
    /// The rows of a table of columns.
    private final @Nullable ColumnTableRows rows;
    private final int structByteSize;
    private final String table;
    /// The garbage collector frees the native memory: a thread of Spark may use a batch after the end of its task.
    private final StructBatch structs;
    private final int capacity;
    private final OnHeapColumnVector rowIds;
    private boolean usesRowIds;
    private final TableColumns columns;
    /// The columns of the filters, and the columns of the result.
    private final Selection tested;
    private final Selection selected;
    private final ColumnarBatch batch;
    private final Optional<IntPredicate> test;
    private final Iterator<RowRange> ranges;
    private RowRange range = new RowRange(0, 0, false);

    SliceReader(ImageReaderFactory query, ImageSlice slice) throws IOException {
        this.query = query;
        this.slice = slice;
        StructType recorded = LayoutText.parse(slice.typeText());
        StructType type = ColumnTableFormat.recordedRow(recorded).orElse(recorded);
        structByteSize = Math.toIntExact(type.byteSize());
        table = "image=" + slice.base() + ", allocation=" + query.allocation();
        structs = new StructBatch(structByteSize,
                (byteSize, alignment) -> Arena.ofAuto().allocate(byteSize, alignment));
        capacity = Math.clamp(BYTES / structByteSize, 1, MOST_ROWS);
        rowIds = new OnHeapColumnVector(capacity, DataTypes.LongType);
        columns = TableSchema.columns(type);
        tested = new Selection(query.filters().stream().map(RowFilters::columns).flatMap(Set::stream).toList());
        selected = new Selection(query.columnNames());
        batch = new ColumnarBatch(query.columnNames().stream().map(selected::vector).toArray(ColumnVector[]::new));
        test = query.filters()
                .stream()
                .map(filter -> RowFilters.test(filter, tested::vector))
                .reduce(IntPredicate::and);
        ranges = slice.ranges().iterator();
        bytes = slice.open();
        try {
            rows = ColumnTableFormat.recordedRow(recorded).isPresent() ? rows(type) : null;
        } catch (Throwable t) {
            bytes.close();
            throw t;
        }
    }

    private ColumnTableRows rows(StructType row) throws IOException {
        MemorySegment header = MemorySegment.ofArray(new byte[(int) ColumnTableFormat.HEADER_BYTE_SIZE]);
        bytes.read(0, header);
        ColumnTableFormat format = ColumnTableFormat.of(row);
        return new ColumnTableRows(format, format.check(header, bytes.byteSize()), ColumnTableRows.members(row,
                Stream.concat(tested.members.stream(), selected.members.stream()).toList()));
    }

    /// Columns by their names.
    private final class Selection {
        private final List<ColumnType.Column> members;
        private final StructVectors vectors;

        Selection(List<String> names) {
            members = columns.columns().stream().filter(column -> names.contains(column.name())).toList();
            vectors = new StructVectors(members, structByteSize);
        }

        ColumnVector vector(String name) {
            if (name.equals(query.rowIdName())) {
                usesRowIds = true;
                return rowIds;
            }
            if (name.equals(query.imageColumn())) {
                ConstantColumnVector image = new ConstantColumnVector(capacity, DataTypes.StringType);
                image.setUtf8String(UTF8String.fromString(slice.base()));
                return image;
            }
            if (name.equals(query.pidColumn())) {
                ConstantColumnVector pid = new ConstantColumnVector(capacity, DataTypes.LongType);
                pid.setLong(slice.pid());
                return pid;
            }
            return vectors.vector(members.indexOf(columns.column(name).orElseThrow()));
        }
    }

    ColumnarBatch batch() {
        return batch;
    }

    /// Reads the next rows.
    ///
    /// @return whether there are any
    boolean next() throws IOException {
        int count = 0;
        while (count == 0) {
            if (range.count() == 0) {
                if (!ranges.hasNext()) {
                    return false;
                }
                range = ranges.next();
            }
            RowRange taken = range.first(capacity);
            read(taken);
            if (test.isPresent()) {
                fill(tested);
                structs.retain(test.get());
            }
            range = range.after(taken);
            count = structs.count();
        }
        fill(selected);
        batch.setNumRows(count);
        return true;
    }

    private void fill(Selection selection) {
        selection.vectors.fill(structs, table);
        for (int row = 0; usesRowIds && row < structs.count(); row++) {
            rowIds.putLong(row, structs.rowId(row));
        }
    }

    private void read(RowRange taken) throws IOException {
        if (slice.zeros() && tested.members.isEmpty() && selected.members.isEmpty()) {
            structs.setUnread(taken);
        } else if (rows != null) {
            int count = Math.toIntExact(taken.count());
            rows.read(bytes::read, taken.first(), count, structs.begin(taken.first(), count));
        } else {
            structs.read(bytes, taken, slice.zeros());
        }
    }

    @Override
    public void close() {
        bytes.close();
    }
}
