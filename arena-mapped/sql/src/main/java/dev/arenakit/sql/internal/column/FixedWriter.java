package dev.arenakit.sql.internal.column;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.IntegerColumnReader;
import dev.arenakit.mapped.internal.column.NumberKind;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import dev.arenakit.sql.internal.duckdb.NativeMemory;
import java.nio.ByteOrder;

/// Copies numbers and booleans.
final class FixedWriter extends ColumnWriter {
    private final IntegerColumnReader integer;
    private final int byteSize;
    private final boolean isBoolean;
    private final boolean isCopy;
    private final boolean isSwapped;

    FixedWriter(DuckDbLibrary engine, ColumnType.Fixed type) {
        super(engine);
        integer = type.integer();
        byteSize = type.kind().byteSize();
        isBoolean = type.kind() == NumberKind.BOOLEAN;
        isCopy = integer.isWhole() && integer.byteSize() == byteSize;
        isSwapped = integer.order() != ByteOrder.nativeOrder();
    }

    @Override
    public void write(long from, long stride, int count, long index, long struct, long structStride) {
        long to = data + index * byteSize;
        if (!isCopy) {
            writeIntegers(from, stride, count, to);
        } else if (isBoolean) {
            NativeMemory.copyBooleans(from, stride, count, to);
        } else {
            switch (byteSize) {
                case Byte.BYTES -> NativeMemory.copyBytes(from, stride, count, to);
                case Short.BYTES -> NativeMemory.copyShorts(from, stride, count, to, isSwapped);
                case Integer.BYTES -> NativeMemory.copyInts(from, stride, count, to, isSwapped);
                default -> NativeMemory.copyLongs(from, stride, count, to, isSwapped);
            }
        }
    }

    private void writeIntegers(long from, long stride, int count, long to) {
        for (int i = 0; i < count; i++) {
            long value = integer.read(NativeMemory.ALL, from + i * stride);
            long at = to + (long) i * byteSize;
            switch (byteSize) {
                case Byte.BYTES -> NativeMemory.putByte(at, (byte) value);
                case Short.BYTES -> NativeMemory.putShort(at, (short) value);
                case Integer.BYTES -> NativeMemory.putInt(at, (int) value);
                default -> NativeMemory.putLong(at, value);
            }
        }
    }
}
