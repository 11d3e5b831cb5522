package dev.arenakit.sql.internal.column;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.EnumIndices;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import dev.arenakit.sql.internal.duckdb.NativeMemory;

/// Copies constants of enums, as the indices of their names.
final class EnumWriter extends ColumnWriter {
    /// The largest number of names for an index of 1 byte, and of 2 bytes. The index of more names has 4 bytes.
    private static final int MOST_BYTES = 0xff;
    private static final int MOST_SHORTS = 0xffff;

    private final EnumIndices indices;
    private final int byteSize;

    EnumWriter(DuckDbLibrary engine, ColumnType.Constant constant) {
        super(engine);
        indices = new EnumIndices(constant);
        int names = constant.names().size();
        byteSize = names <= MOST_BYTES ? Byte.BYTES : names <= MOST_SHORTS ? Short.BYTES : Integer.BYTES;
    }

    @Override
    public void write(long from, long stride, int count, long index, long struct, long structStride) {
        for (int i = 0; i < count; i++) {
            int name = indices.read(NativeMemory.ALL, from + i * stride);
            long at = data + (index + i) * byteSize;
            switch (byteSize) {
                case Byte.BYTES -> NativeMemory.putByte(at, (byte) name);
                case Short.BYTES -> NativeMemory.putShort(at, (short) name);
                default -> NativeMemory.putInt(at, name);
            }
        }
    }
}
