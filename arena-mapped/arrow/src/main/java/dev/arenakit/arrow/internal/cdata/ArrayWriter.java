package dev.arenakit.arrow.internal.cdata;

import dev.arenakit.arrow.internal.ArrowField;
import dev.arenakit.arrow.internal.ArrowFields;
import dev.arenakit.arrow.internal.BatchBuffers;
import dev.arenakit.arrow.internal.BatchColumns;
import dev.arenakit.arrow.internal.TextDictionary;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Writes an `ArrowArray`.
final class ArrayWriter {
    private final Export export;
    private final BatchBuffers batch;
    // The next node and the next buffer of the batch.
    private int node;
    private int buffer;

    private ArrayWriter(Export export, BatchBuffers batch) {
        this.export = export;
        this.batch = batch;
    }

    /// Writes an array of numbers, whose memory is not copied. The caller has checked the segment.
    static void writeNumbers(MemorySegment numbers, long count, long to) {
        MemoryLease lease = MemoryLease.of(numbers);
        Export export;
        try {
            export = ExportTable.add(lease, null);
        } catch (Throwable t) {
            lease.release();
            throw t;
        }
        BatchBuffers batch = new BatchBuffers();
        complete(export, to, () -> {
            batch.addNode(count, 0);
            batch.addBuffer(MemorySegment.NULL, 0);
            batch.addBuffer(numbers, numbers.byteSize());
            new ArrayWriter(export, batch).write(2, to);
        });
    }

    /// Writes a batch of structs, which are copied column by column.
    ///
    /// @param row the index of the first struct in the segment
    /// @throws IllegalArgumentException if a value cannot be converted
    static void writeStructs(StructType type, ArrowFields found, MemorySegment structs, long row, long count, long to) {
        Export export = ExportTable.add(null, null);
        complete(export, to, () -> {
            BatchColumns columns = new BatchColumns(type, found, export.memory);
            columns.reserve(count);
            columns.begin();
            columns.write(structs, row, count, 0, 0);
            BatchBuffers batch = new BatchBuffers();
            batch.addNode(count, 0);
            batch.addBuffer(MemorySegment.NULL, 0);
            columns.collect(count, batch);
            ArrayWriter writer = new ArrayWriter(export, batch);
            writer.write(1, to);
            writer.writeChildren(found.fields(), to);
        });
    }

    private static void complete(Export export, long to, Runnable body) {
        try {
            CStruct.ARRAY.clear(to);
            long struct = export.addStruct();
            body.run();
            CStruct.ARRAY.complete(to, struct);
        } catch (Throwable t) {
            export.end();
            throw t;
        }
    }

    private void writeChildren(List<ArrowField> fields, long to) {
        long child = fields.isEmpty() ? 0 : CStruct.ARRAY.addChildren(to, fields.size(), export.memory);
        for (ArrowField field : fields) {
            write(ColumnFormat.bufferCount(field), child);
            writeChildren(field.children(), child);
            if (field.dictionary().isPresent()) {
                writeDictionary(field.dictionary().get().texts(), CStruct.ARRAY.addDictionary(child, export.memory));
            }
            CStruct.ARRAY.complete(child, export.addStruct());
            child += CStruct.ARRAY.byteSize();
        }
    }

    private void writeDictionary(TextDictionary texts, long to) {
        BatchBuffers values = new BatchBuffers();
        texts.collect(export.memory, values);
        new ArrayWriter(export, values).write(3, to);
        CStruct.ARRAY.complete(to, export.addStruct());
    }

    /// Writes the next node of the batch, and its buffers.
    private void write(int bufferCount, long to) {
        ExportMemory.put(to + CStruct.ARRAY_LENGTH, batch.length(node));
        ExportMemory.put(to + CStruct.ARRAY_NULL_COUNT, batch.nullCount(node));
        ExportMemory.put(to + CStruct.ARRAY_N_BUFFERS, bufferCount);
        long buffers = export.memory.allocate((long) bufferCount * Long.BYTES, Long.BYTES).address();
        for (int i = 0; i < bufferCount; i++) {
            ExportMemory.put(buffers + (long) i * Long.BYTES, batch.buffers().get(buffer + i).address());
        }
        ExportMemory.put(to + CStruct.ARRAY_BUFFERS, buffers);
        node++;
        buffer += bufferCount;
    }
}
