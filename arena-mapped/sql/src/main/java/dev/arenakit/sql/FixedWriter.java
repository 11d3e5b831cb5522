package dev.arenakit.sql;

import dev.arenakit.internal.DuckDbHeader;
import dev.arenakit.internal.DuckDbLibrary;
import java.nio.ByteOrder;

/// Copies numbers and booleans.
final class FixedWriter extends ColumnWriter {
    private final IntegerReader integer;
    private final int byteSize;
    private final boolean isBoolean;
    private final boolean isCopy;
    private final boolean isSwapped;

    FixedWriter(DuckDbLibrary engine, ColumnType.Fixed type) {
        super(engine);
        integer = type.integer();
        byteSize = type.engineByteSize();
        isBoolean = type.engineType() == DuckDbHeader.TYPE_BOOLEAN;
        isCopy = integer.isWhole() && integer.byteSize() == byteSize;
        isSwapped = integer.order() != ByteOrder.nativeOrder();
    }

    @Override
    void write(long from, long stride, int count, long index, long struct, long structStride) {
        long to = data + index * byteSize;
        if (!isCopy) {
            writeIntegers(from, stride, count, to);
        } else if (isBoolean) {
            Native.copyBooleans(from, stride, count, to);
        } else {
            switch (byteSize) {
                case Byte.BYTES -> Native.copyBytes(from, stride, count, to);
                case Short.BYTES -> copyShorts(from, stride, count, to);
                case Integer.BYTES -> copyInts(from, stride, count, to);
                default -> copyLongs(from, stride, count, to);
            }
        }
    }

    private void copyShorts(long from, long stride, int count, long to) {
        if (isSwapped) {
            Native.copySwappedShorts(from, stride, count, to);
        } else {
            Native.copyShorts(from, stride, count, to);
        }
    }

    private void copyInts(long from, long stride, int count, long to) {
        if (isSwapped) {
            Native.copySwappedInts(from, stride, count, to);
        } else {
            Native.copyInts(from, stride, count, to);
        }
    }

    private void copyLongs(long from, long stride, int count, long to) {
        if (isSwapped) {
            Native.copySwappedLongs(from, stride, count, to);
        } else {
            Native.copyLongs(from, stride, count, to);
        }
    }

    private void writeIntegers(long from, long stride, int count, long to) {
        for (int i = 0; i < count; i++) {
            long value = integer.read(from + i * stride);
            long at = to + (long) i * byteSize;
            switch (byteSize) {
                case Byte.BYTES -> Native.putByte(at, (byte) value);
                case Short.BYTES -> Native.putShort(at, (short) value);
                case Integer.BYTES -> Native.putInt(at, (int) value);
                default -> Native.putLong(at, value);
            }
        }
    }
}
