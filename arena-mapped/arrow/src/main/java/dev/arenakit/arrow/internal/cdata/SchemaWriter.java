package dev.arenakit.arrow.internal.cdata;

import dev.arenakit.arrow.internal.ArrowColumns;
import dev.arenakit.arrow.internal.BatchWriter;
import dev.arenakit.internal.Memory;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.NumberKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

/// Writes an `ArrowSchema`.
final class SchemaWriter {
    private static final String STRUCT = "+s";
    private static final String TEXT = "u";

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
            writer.write("", STRUCT, 0, to);
            Memory.putLong(to + CStruct.SCHEMA_METADATA, writer.metadata(layout));
            writer.writeChildren(columns, false, to);
        });
    }

    private void writeChildren(List<ColumnType.Column> columns, boolean areNullable, long to) {
        long child = export.addChildren(CStruct.SCHEMA, to, columns.size());
        for (ColumnType.Column column : columns) {
            ColumnType type = column.type();
            write(column.name(), format(type), areNullable ? CStruct.FLAG_NULLABLE : 0, child);
            writeChildren(type.children(), areNullable || type instanceof ColumnType.Union, child);
            if (ArrowColumns.dictionary(type).isPresent()) {
                long dictionary = export.addDictionary(CStruct.SCHEMA, child);
                write("", TEXT, 0, dictionary);
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

    /// The text by which the interface names a type.
    private static String format(ColumnType type) {
        if (ArrowColumns.dictionary(type).isPresent()) {
            return switch (ArrowColumns.indexByteSize(type)) {
                case Byte.BYTES -> NumberKind.INT8.format();
                case Short.BYTES -> NumberKind.INT16.format();
                default -> NumberKind.INT32.format();
            };
        }
        return switch (type) {
            case ColumnType.Fixed fixed -> fixed.kind().format();
            case ColumnType.Text _,ColumnType.Constant _ -> TEXT;
            case ColumnType.Array array -> array.isList() ? "+l" : "+w:" + array.length();
            case ColumnType.Struct _,ColumnType.Union _ -> STRUCT;
        };
    }

    /// Returns the address of the metadata: the number of entries, and the size and the bytes of each key and value.
    private long metadata(String layout) {
        byte[] key = BatchWriter.LAYOUT_KEY.getBytes(UTF_8);
        byte[] value = layout.getBytes(UTF_8);
        ByteBuffer metadata = ByteBuffer.allocate(3 * Integer.BYTES + key.length + value.length)
                .order(ByteOrder.nativeOrder())
                .putInt(1)
                .putInt(key.length)
                .put(key)
                .putInt(value.length)
                .put(value);
        return export.memory.allocateFrom(JAVA_BYTE, metadata.array()).address();
    }
}
