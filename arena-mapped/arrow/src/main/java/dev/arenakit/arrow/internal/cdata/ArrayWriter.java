package dev.arenakit.arrow.internal.cdata;

import dev.arenakit.arrow.internal.ArrowColumns;
import dev.arenakit.internal.Memory;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.TextDictionary;
import dev.arenakit.mapped.internal.column.buffer.ColumnBuffer;
import dev.arenakit.mapped.internal.column.buffer.StructColumns;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Writes an `ArrowArray`.
final class ArrayWriter {
    private final Export export;

    private ArrayWriter(Export export) {
        this.export = export;
    }

    /// Writes an array of numbers, whose memory is not copied. The caller has checked the segment.
    static void writeNumbers(MemorySegment numbers, long count, long to) {
        Export.write(CStruct.ARRAY, to, numbers, null,
                export -> new ArrayWriter(export).write(count, 0, List.of(MemorySegment.NULL, numbers), to));
    }

    /// Writes a batch of structs, which are copied column by column.
    ///
    /// @param row the index of the first struct in the segment
    /// @throws IllegalArgumentException if a value cannot be converted
    static void writeStructs(ArrowColumns columns, MemorySegment structs, long row, long count, long to) {
        Export.write(CStruct.ARRAY, to, null, null, export -> {
            StructColumns batch = columns.allocate(export.memory);
            batch.reserve(count);
            batch.begin();
            columns.write(batch, structs, row, count, 0, 0);
            ArrayWriter writer = new ArrayWriter(export);
            writer.write(count, 0, List.of(MemorySegment.NULL), to);
            writer.writeChildren(columns.columns(), batch::buffer, count, to);
        });
    }

    private void writeChildren(List<ColumnType.Column> columns, IntFunction<ColumnBuffer> buffers, long length,
            long to) {
        long child = export.addChildren(CStruct.ARRAY, to, columns.size());
        for (int i = 0; i < columns.size(); i++) {
            ColumnType type = columns.get(i).type();
            ColumnBuffer column = buffers.apply(i);
            write(length, column.nullCount(length), column.buffers(length), child);
            writeChildren(type.children(), column::child, column.childLength(length), child);
            Optional<TextDictionary> texts = ArrowColumns.dictionary(type);
            if (texts.isPresent()) {
                long dictionary = export.addDictionary(CStruct.ARRAY, child);
                write(texts.get().size(), 0, texts.get().buffers(export.memory), dictionary);
                CStruct.ARRAY.complete(dictionary, export.addStruct());
            }
            CStruct.ARRAY.complete(child, export.addStruct());
            child += CStruct.ARRAY.byteSize();
        }
    }

    private void write(long length, long nullCount, List<MemorySegment> buffers, long to) {
        Memory.putLong(to + CStruct.ARRAY_LENGTH, length);
        Memory.putLong(to + CStruct.ARRAY_NULL_COUNT, nullCount);
        Memory.putLong(to + CStruct.ARRAY_N_BUFFERS, buffers.size());
        Memory.putLong(to + CStruct.ARRAY_BUFFERS, export.memory
                .allocateFrom(JAVA_LONG, buffers.stream().mapToLong(MemorySegment::address).toArray())
                .address());
    }
}
