package dev.arenakit.arrow.internal.cdata;

import dev.arenakit.arrow.internal.ArrowColumns;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.TextDictionary;
import dev.arenakit.mapped.internal.column.buffer.ColumnBuffer;
import dev.arenakit.mapped.internal.column.buffer.StructColumns;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/// Writes an `ArrowArray`.
final class ArrayWriter {
    private final Export export;

    private ArrayWriter(Export export) {
        this.export = export;
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
        complete(export, to,
                () -> new ArrayWriter(export).write(count, 0, List.of(MemorySegment.NULL, numbers), to));
    }

    /// Writes a batch of structs, which are copied column by column.
    ///
    /// @param row the index of the first struct in the segment
    /// @throws IllegalArgumentException if a value cannot be converted
    static void writeStructs(ArrowColumns columns, MemorySegment structs, long row, long count, long to) {
        Export export = ExportTable.add(null, null);
        complete(export, to, () -> {
            StructColumns batch = columns.allocate(export.memory);
            batch.reserve(count);
            batch.begin();
            columns.write(batch, structs, row, count, 0, 0);
            ArrayWriter writer = new ArrayWriter(export);
            writer.write(count, 0, List.of(MemorySegment.NULL), to);
            writer.writeChildren(columns.columns(), batch::buffer, count, to);
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

    private void writeChildren(List<ColumnType.Column> columns, IntFunction<ColumnBuffer> buffers, long length,
            long to) {
        long child = columns.isEmpty() ? 0 : CStruct.ARRAY.addChildren(to, columns.size(), export.memory);
        for (int i = 0; i < columns.size(); i++) {
            ColumnType type = columns.get(i).type();
            ColumnBuffer column = buffers.apply(i);
            write(length, column.nullCount(length), column.buffers(length), child);
            writeChildren(type.children(), column::child, column.childLength(length), child);
            Optional<TextDictionary> texts = ArrowColumns.dictionary(type);
            if (texts.isPresent()) {
                writeDictionary(texts.get(), CStruct.ARRAY.addDictionary(child, export.memory));
            }
            CStruct.ARRAY.complete(child, export.addStruct());
            child += CStruct.ARRAY.byteSize();
        }
    }

    private void writeDictionary(TextDictionary texts, long to) {
        write(texts.size(), 0, texts.buffers(export.memory), to);
        CStruct.ARRAY.complete(to, export.addStruct());
    }

    private void write(long length, long nullCount, List<MemorySegment> buffers, long to) {
        ExportMemory.put(to + CStruct.ARRAY_LENGTH, length);
        ExportMemory.put(to + CStruct.ARRAY_NULL_COUNT, nullCount);
        ExportMemory.put(to + CStruct.ARRAY_N_BUFFERS, buffers.size());
        long addresses = export.memory.allocate((long) buffers.size() * Long.BYTES, Long.BYTES).address();
        for (int i = 0; i < buffers.size(); i++) {
            ExportMemory.put(addresses + (long) i * Long.BYTES, buffers.get(i).address());
        }
        ExportMemory.put(to + CStruct.ARRAY_BUFFERS, addresses);
    }
}
