package dev.arenakit.spark.internal;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.column.ColumnTableRows;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.files.AllocationBytes;
import dev.arenakit.spark.internal.vector.RowFilter;
import dev.arenakit.spark.internal.vector.StructBatch;
import dev.arenakit.spark.internal.vector.StructVectors;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/// Reads structs of one image.
final class SliceReader implements AutoCloseable {
    private final ImageReaderFactory query;
    private final ImageSlice slice;
    private final AllocationBytes bytes;
    /// The rows of a table of columns.
    private final @Nullable ColumnTableRows table;
    private final int structByteSize;
    private final StructBatch structs;
    private final TableColumns columns;
    /// The columns of the condition, and the columns of the result.
    private final Selection tested;
    private final Selection selected;
    private final ColumnarBatch batch;
    private final RowFilter test;
    private final Iterator<RowRange> ranges;
    private RowRange range = new RowRange(0, 0, false);

    SliceReader(ImageReaderFactory query, ImageSlice slice) throws IOException {
        this.query = query;
        this.slice = slice;
        StructType recorded = LayoutText.parse(slice.typeText());
        StructType type = ColumnTableFormat.recordedRow(recorded).orElse(recorded);
        structByteSize = Math.toIntExact(type.byteSize());
        structs = new StructBatch("image=" + slice.base() + ", allocation=" + query.allocation(), structByteSize);
        columns = TableColumns.of(type);
        tested = new Selection(query.condition().columns());
        selected = new Selection(query.columnNames());
        batch = new ColumnarBatch(query.columnNames().stream().map(selected::vector).toArray(ColumnVector[]::new));
        test = RowFilters.of(query.condition(), tested::vector);
        ranges = slice.ranges().iterator();
        bytes = WrittenRows.open(slice.files(), slice.allocationParts());
        try {
            table = ColumnTableFormat.recordedRow(recorded).isPresent() ? table(type) : null;
        } catch (Throwable t) {
            bytes.close();
            throw t;
        }
    }

    private ColumnTableRows table(StructType row) throws IOException {
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
                return structs.rowIds();
            }
            if (name.equals(query.imageColumn())) {
                ConstantColumnVector image = new ConstantColumnVector(structs.capacity(), DataTypes.StringType);
                image.setUtf8String(UTF8String.fromString(slice.base()));
                return image;
            }
            if (name.equals(query.pidColumn())) {
                ConstantColumnVector pid = new ConstantColumnVector(structs.capacity(), DataTypes.LongType);
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
            int taken = Math.toIntExact(Math.min(range.count(), structs.capacity()));
            read(range.first(), taken);
            if (!(query.condition() instanceof RowCondition.Always)) {
                structs.copyTo(tested.vectors);
                structs.retain(test);
            }
            range = new RowRange(range.first() + taken, range.end(), range.isHole());
            count = structs.count();
        }
        structs.copyTo(selected.vectors);
        batch.setNumRows(count);
        return true;
    }

    private void read(long first, int count) throws IOException {
        boolean usesMembers = !tested.members.isEmpty() || !selected.members.isEmpty();
        if (range.isHole() || (slice.zeros() && !usesMembers)) {
            structs.beginUnread(first, count);
            return;
        }
        if (table != null) {
            table.read(bytes::read, first, count, structs.begin(first, count));
            return;
        }
        bytes.read(first * structByteSize, structs.begin(first, count));
        if (!slice.zeros()) {
            structs.retainWritten();
        }
    }

    @Override
    public void close() {
        bytes.close();
    }
}
