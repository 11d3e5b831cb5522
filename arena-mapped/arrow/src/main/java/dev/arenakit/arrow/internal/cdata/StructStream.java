package dev.arenakit.arrow.internal.cdata;

import dev.arenakit.arrow.internal.ArrowColumns;
import dev.arenakit.internal.Memory;
import dev.arenakit.internal.nativecall.CHeaders;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/// A stream of structs, whose batches are made when the consumer asks for them.
final class StructStream {
    /// The result of functions that fail, unless memory is exhausted.
    static final int FAILED = CHeaders.EINVAL;
    private static final int SUCCEEDED = 0;

    private final MemorySegment structs;
    private final ArrowColumns columns;
    private final String layout;
    private final long count;
    private final int batchRows;
    /// The index of the first struct of the next batch.
    private long next;
    private final ExportMemory errorMemory = new ExportMemory();
    /// The address of the last call's message, or 0.
    private long error;
    /// A call that overlaps the release must not read what may be freed after it.
    private boolean isClosed;

    /// @throws IllegalArgumentException if the type has no columns or too large rows, or if the segment has incomplete
    ///                                  structs
    StructStream(StructType type, MemorySegment structs, int batchRows) {
        this.structs = structs;
        columns = new ArrowColumns(type, Set.of());
        layout = LayoutText.print(columns.rowType());
        count = columns.rowsIn(structs);
        this.batchRows = columns.batchRows(batchRows);
    }

    /// Returns the stream of an `ArrowArrayStream`.
    ///
    /// @throws IllegalStateException if it is released
    static StructStream of(long struct) {
        Export export = ExportTable.find(Memory.getLong(struct + CStruct.STREAM.privateData()));
        if (export == null || export.stream == null) {
            throw new IllegalStateException("Stream is released");
        }
        return export.stream;
    }

    /// Writes an `ArrowArrayStream`.
    void write(long to) {
        Export.write(CStruct.STREAM, to, structs.isNative() ? structs : null, this,
                _ -> Callbacks.OfStreams.write(to));
    }

    /// Writes an `ArrowSchema`.
    ///
    /// @return an error number, or 0
    synchronized int writeSchema(long to) {
        return run(() -> SchemaWriter.writeStruct(columns.columns(), layout, to));
    }

    /// Writes the next batch as an `ArrowArray`, which is released if there is none.
    ///
    /// @return an error number, or 0; after an error, the next call tries again
    synchronized int writeNext(long to) {
        return run(() -> {
            long rows = Math.min(batchRows, count - next);
            if (rows == 0) {
                CStruct.ARRAY.clear(to);
            } else {
                ArrayWriter.writeStructs(columns, structs, next, rows, to);
                next += rows;
            }
        });
    }

    private int run(Runnable body) {
        if (isClosed) {
            return FAILED;
        }
        error = 0;
        errorMemory.free();
        try {
            body.run();
            return SUCCEEDED;
        } catch (OutOfMemoryError e) {
            return failed(CHeaders.ENOMEM, e);
        } catch (Throwable t) {
            return failed(FAILED, t);
        }
    }

    private int failed(int number, Throwable t) {
        try {
            error = errorMemory.allocateFrom(String.valueOf(t.getMessage())).address();
        } catch (Throwable _) {
            // The error has a number.
        }
        return number;
    }

    synchronized long lastError() {
        return error;
    }

    synchronized void close() {
        isClosed = true;
        error = 0;
        errorMemory.free();
    }
}
