package dev.arenakit.spark.internal;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.files.AllocationBytes;
import dev.arenakit.spark.internal.vector.RowFilter;
import dev.arenakit.spark.internal.vector.RowIdVector;
import dev.arenakit.spark.internal.vector.StructBatch;
import dev.arenakit.spark.internal.vector.StructVector;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;

/// Reads structs of one image.
final class SliceReader implements AutoCloseable {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder())
            .withInvokeExactBehavior();

    private final ImageReaderFactory query;
    private final ImageSlice slice;
    private final AllocationBytes bytes;
    private final int structByteSize;
    private final StructBatch structs;
    private final TableColumns columns;
    private final Map<String, ColumnVector> vectors = new HashMap<>();
    private final ColumnarBatch batch;
    private final RowFilter test;
    private final Iterator<RowRange> ranges;
    private boolean usesFields;
    private RowRange range = new RowRange(0, 0, false);

    SliceReader(ImageReaderFactory query, ImageSlice slice) throws IOException {
        this.query = query;
        this.slice = slice;
        StructType type = LayoutText.parse(slice.typeText());
        structByteSize = Math.toIntExact(type.byteSize());
        structs = new StructBatch("image=" + slice.base() + ", allocation=" + query.allocation(), structByteSize);
        columns = TableColumns.of(type);
        batch = new ColumnarBatch(query.columnNames().stream().map(this::vector).toArray(ColumnVector[]::new));
        test = RowFilters.of(query.condition(), this::vector);
        ranges = slice.ranges().iterator();
        bytes = WrittenRows.open(slice.files(), slice.allocationParts());
    }

    private ColumnVector vector(String name) {
        return vectors.computeIfAbsent(name, this::newVector);
    }

    private ColumnVector newVector(String name) {
        if (name.equals(query.rowIdName())) {
            return new RowIdVector(structs);
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
        usesFields = true;
        return StructVector.of(columns.column(name).orElseThrow(), structs);
    }

    ColumnarBatch batch() {
        return batch;
    }

    /// Reads the next rows.
    ///
    /// @return whether there are any
    boolean next() throws IOException {
        structs.clear();
        while (structs.count() == 0) {
            if (range.count() == 0) {
                if (!ranges.hasNext()) {
                    return false;
                }
                range = ranges.next();
            }
            int count = Math.toIntExact(Math.min(range.count(), structs.capacity()));
            if (range.isHole() || (slice.zeros() && !usesFields)) {
                addUnread(range.first(), count);
            } else {
                read(range.first(), count);
            }
            if (!(query.condition() instanceof RowCondition.Always)) {
                structs.retain(test);
            }
            range = new RowRange(range.first() + count, range.end(), range.isHole());
        }
        batch.setNumRows(structs.count());
        return true;
    }

    /// Adds rows whose bytes are all zero, or are not used. All have the same struct.
    private void addUnread(long first, int count) {
        structs.segment().asSlice(0, structByteSize).fill((byte) 0);
        for (int i = 0; i < count; i++) {
            structs.add(first + i, 0);
        }
    }

    private void read(long first, int count) throws IOException {
        bytes.read(first * structByteSize, structs.segment().asSlice(0, (long) count * structByteSize));
        boolean zeros = slice.zeros();
        for (int i = 0; i < count; i++) {
            int position = i * structByteSize;
            if (zeros || !isZero(position)) {
                structs.add(first + i, position);
            }
        }
    }

    private boolean isZero(int position) {
        byte[] all = structs.bytes();
        int end = position + structByteSize;
        int at = position;
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            if ((long) LONG.get(all, at) != 0) {
                return false;
            }
        }
        while (at < end && all[at] == 0) {
            at++;
        }
        return at == end;
    }

    @Override
    public void close() {
        bytes.close();
    }
}
