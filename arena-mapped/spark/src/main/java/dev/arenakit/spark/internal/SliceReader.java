package dev.arenakit.spark.internal;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.RowRange;
import dev.arenakit.mapped.internal.column.TableColumns;
import dev.arenakit.mapped.internal.column.buffer.StructBatch;
import dev.arenakit.mapped.internal.files.AllocationBytes;
import dev.arenakit.spark.internal.vector.StructVectors;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntPredicate;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;

/// Reads structs of one image.
final class SliceReader implements AutoCloseable {
    /// The number of bytes that are read at a time, unless a struct is larger.
    private static final int BYTES = 1 << 17;
    private static final int MOST_ROWS = 1 << 13;

    private final ImageReaderFactory query;
    private final ImageSlice slice;
    private final AllocationBytes bytes;
    private final int structByteSize;
    private final String table;
    /// The garbage collector frees the native memory: a thread of Spark may use a batch after the end of its task.
    private final StructBatch structs;
    private final int capacity;
    private final OnHeapColumnVector rowIds;
    private boolean usesRowIds;
    private final TableColumns columns;
    /// The columns of the condition, and the columns of the result.
    private final Selection tested;
    private final Selection selected;
    private final ColumnarBatch batch;
    private final IntPredicate test;
    private final Iterator<RowRange> ranges;
    private RowRange range = new RowRange(0, 0, false);

    SliceReader(ImageReaderFactory query, ImageSlice slice) throws IOException {
        this.query = query;
        this.slice = slice;
        StructType type = LayoutText.parse(slice.typeText());
        structByteSize = Math.toIntExact(type.byteSize());
        table = "image=" + slice.base() + ", allocation=" + query.allocation();
        structs = new StructBatch(structByteSize,
                (byteSize, alignment) -> Arena.ofAuto().allocate(byteSize, alignment));
        capacity = Math.clamp(BYTES / structByteSize, 1, MOST_ROWS);
        rowIds = new OnHeapColumnVector(capacity, DataTypes.LongType);
        columns = TableSchema.columns(type);
        tested = new Selection(query.condition().columns());
        selected = new Selection(query.columnNames());
        batch = new ColumnarBatch(query.columnNames().stream().map(selected::vector).toArray(ColumnVector[]::new));
        test = RowFilters.of(query.condition(), tested::vector);
        ranges = slice.ranges().iterator();
        bytes = slice.open();
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
            if (!query.condition().equals(RowCondition.always())) {
                fill(tested);
                structs.retain(test);
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

    private void read(RowRange rows) throws IOException {
        if (slice.zeros() && tested.members.isEmpty() && selected.members.isEmpty()) {
            structs.setUnread(rows);
        } else {
            structs.read(bytes, rows, slice.zeros());
        }
    }

    @Override
    public void close() {
        bytes.close();
    }
}
