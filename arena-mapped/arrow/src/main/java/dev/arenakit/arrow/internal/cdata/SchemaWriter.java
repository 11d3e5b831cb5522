package dev.arenakit.arrow.internal.cdata;

import dev.arenakit.arrow.internal.ArrowColumns;
import dev.arenakit.arrow.internal.BatchWriter;
import dev.arenakit.internal.Memory;
import dev.arenakit.mapped.internal.column.ColumnType;
import java.lang.foreign.MemorySegment;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.nio.charset.StandardCharsets.UTF_8;

/// Writes an `ArrowSchema`.
final class SchemaWriter {
    private final Export export;

    private SchemaWriter(Export export) {
        this.export = export;
    }

    /// Writes the schema of a column without nulls.
    static void writeColumn(String format, long to) {
        Export.write(CStruct.SCHEMA, to, null, null, export -> new SchemaWriter(export).write("", format, 0, to));
    }

    /// Writes the schema of structs.
    ///
    /// @param layout the text of the struct
    static void writeStruct(List<ColumnType.Column> columns, String layout, long to) {
        Export.write(CStruct.SCHEMA, to, null, null, export -> {
            SchemaWriter writer = new SchemaWriter(export);
            writer.write("", ColumnFormat.STRUCT, 0, to);
            Memory.putLong(to + CStruct.SCHEMA_METADATA, writer.metadata(layout));
            writer.writeChildren(columns, false, to);
        });
    }

    private void writeChildren(List<ColumnType.Column> columns, boolean areNullable, long to) {
        long child = export.addChildren(CStruct.SCHEMA, to, columns.size());
        for (ColumnType.Column column : columns) {
            ColumnType type = column.type();
            write(column.name(), ColumnFormat.of(type), areNullable ? CStruct.FLAG_NULLABLE : 0, child);
            writeChildren(type.children(), areNullable || type instanceof ColumnType.Union, child);
            if (ArrowColumns.dictionary(type).isPresent()) {
                long dictionary = export.addDictionary(CStruct.SCHEMA, child);
                write("", ColumnFormat.TEXT, 0, dictionary);
                CStruct.SCHEMA.complete(dictionary, export.addStruct());
            }
            CStruct.SCHEMA.complete(child, export.addStruct());
            child += CStruct.SCHEMA.byteSize();
        }
    }

    private void write(String name, String format, long flags, long to) {
        Memory.putLong(to + CStruct.SCHEMA_FORMAT, export.memory.allocateFrom(format).address());
        Memory.putLong(to + CStruct.SCHEMA_NAME, export.memory.allocateFrom(name).address());
        Memory.putLong(to + CStruct.SCHEMA_FLAGS, flags);
    }

    /// Returns the address of the metadata: the number of entries, and the size and the bytes of each key and value.
    private long metadata(String layout) {
        byte[] key = BatchWriter.LAYOUT_KEY.getBytes(UTF_8);
        byte[] value = layout.getBytes(UTF_8);
        MemorySegment metadata = export.memory.allocate(3L * Integer.BYTES + key.length + value.length, Integer.BYTES);
        metadata.set(JAVA_INT_UNALIGNED, 0, 1);
        put(key, metadata, Integer.BYTES);
        put(value, metadata, 2L * Integer.BYTES + key.length);
        return metadata.address();
    }

    private static void put(byte[] text, MemorySegment to, long offset) {
        to.set(JAVA_INT_UNALIGNED, offset, text.length);
        MemorySegment.copy(text, 0, to, JAVA_BYTE, offset + Integer.BYTES, text.length);
    }
}
