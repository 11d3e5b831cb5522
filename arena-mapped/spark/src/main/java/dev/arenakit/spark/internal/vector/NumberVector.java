package dev.arenakit.spark.internal.vector;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.IntegerColumnReader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import org.apache.spark.sql.types.Decimal;
import org.jspecify.annotations.Nullable;

/// Numbers and booleans.
final class NumberVector extends StructVector {
    private static final VarHandle SHORT = handle(short[].class);
    private static final VarHandle INT = handle(int[].class);
    private static final VarHandle LONG = handle(long[].class);

    private final byte[] bytes;
    private final IntegerColumnReader integer;
    /// The number of bytes of an integer that has all of their bits, or 0.
    private final int width;
    private final boolean isSwapped;
    /// Whether the bytes are the bytes of the value in Spark, in little-endian order.
    private final boolean isPlain;

    NumberVector(ColumnType.Fixed type, StructBatch batch, Positions values, @Nullable RowFilter valid) {
        super(SparkTypes.of(type), batch, values, valid);
        bytes = batch.bytes();
        integer = type.integer();
        width = integer.isWhole() ? integer.byteSize() : 0;
        isSwapped = integer.order() == ByteOrder.BIG_ENDIAN;
        isPlain = width == dataType().defaultSize() && !isSwapped;
    }

    private static VarHandle handle(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN).withInvokeExactBehavior();
    }

    private long read(int index) {
        int at = values.at(index);
        return switch (width) {
            case Byte.BYTES -> integer.signed() ? bytes[at] : Byte.toUnsignedLong(bytes[at]);
            case Short.BYTES -> readShort(at);
            case Integer.BYTES -> readInt(at);
            case Long.BYTES -> readLong(at);
            default -> integer.read(batch.segment(), at);
        };
    }

    private long readShort(int at) {
        short value = (short) SHORT.get(bytes, at);
        short ordered = isSwapped ? Short.reverseBytes(value) : value;
        return integer.signed() ? ordered : Short.toUnsignedLong(ordered);
    }

    private long readInt(int at) {
        int value = (int) INT.get(bytes, at);
        int ordered = isSwapped ? Integer.reverseBytes(value) : value;
        return integer.signed() ? ordered : Integer.toUnsignedLong(ordered);
    }

    private long readLong(int at) {
        long value = (long) LONG.get(bytes, at);
        return isSwapped ? Long.reverseBytes(value) : value;
    }

    @Override
    boolean isConvertible(int index) {
        return true;
    }

    @Override
    public boolean getBoolean(int index) {
        return read(index) != 0;
    }

    @Override
    public byte getByte(int index) {
        return (byte) read(index);
    }

    @Override
    public short getShort(int index) {
        return (short) read(index);
    }

    @Override
    public int getInt(int index) {
        return isPlain ? (int) INT.get(bytes, values.at(index)) : (int) read(index);
    }

    @Override
    public long getLong(int index) {
        return isPlain ? (long) LONG.get(bytes, values.at(index)) : read(index);
    }

    @Override
    public float getFloat(int index) {
        return Float.intBitsToFloat(getInt(index));
    }

    @Override
    public double getDouble(int index) {
        return Double.longBitsToDouble(getLong(index));
    }

    @Override
    public Decimal getDecimal(int index, int precision, int scale) {
        long value = read(index);
        return value >= 0
                ? Decimal.apply(value, precision, scale)
                : Decimal.apply(new BigDecimal(new BigInteger(Long.toUnsignedString(value))), precision, scale);
    }
}
