package dev.arenakit.spark.internal.vector;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.NumberKind;
import dev.arenakit.mapped.internal.column.buffer.ColumnBuffer;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/// The values of a column in arrays on the heap, which Spark reads without checks of bounds.
final class BufferVector extends ColumnVector {
    /// The types whose values have the next larger type in Spark.
    private static final Set<NumberKind> WIDENED = Set.of(NumberKind.UINT8, NumberKind.UINT16, NumberKind.UINT32);
    private static final int VIEW_BYTE_SIZE = 16;
    private static final int INLINE_LENGTH = 12;

    private final ColumnType columnType;
    private final ColumnBuffer column;
    private final BufferVector[] children;
    private final boolean isWidened;
    /// The number of elements of an array that is no list.
    private final int arrayLength;
    /// The names of an enum.
    private final UTF8String[] names;
    /// Null if most rows have texts of their own.
    private @Nullable ShortTexts shortTexts;
    private int nullCount;
    // The buffers of the column: an array, and the position of the first byte.
    private @Nullable Object valid;
    private long validAt;
    private @Nullable Object values;
    private long valuesAt;
    private @Nullable Object bytes;
    private long bytesAt;

    BufferVector(ColumnType type, ColumnBuffer column) {
        super(SparkTypes.of(type));
        columnType = type;
        this.column = column;
        children = new BufferVector[column.childCount()];
        for (int i = 0; i < children.length; i++) {
            children[i] = new BufferVector(type.children().get(i).type(), column.child(i));
        }
        isWidened = type instanceof ColumnType.Fixed fixed && WIDENED.contains(fixed.kind());
        arrayLength = type instanceof ColumnType.Array array && !array.isList()
                ? Math.toIntExact(array.length())
                : -1;
        names = type instanceof ColumnType.Constant constant
                ? constant.names().stream().map(UTF8String::fromString).toArray(UTF8String[]::new)
                : new UTF8String[0];
        shortTexts = type instanceof ColumnType.Text ? new ShortTexts() : null;
    }

    /// Finds the buffers, after the column was filled.
    void update(long length) {
        if (shortTexts != null && shortTexts.takeMisses() > length / 2) {
            shortTexts = null;
        }
        List<MemorySegment> buffers = column.buffers(length);
        nullCount = Math.toIntExact(column.nullCount(length));
        valid = array(buffers.getFirst());
        validAt = position(buffers.getFirst());
        if (buffers.size() > 1) {
            values = array(buffers.get(1));
            valuesAt = position(buffers.get(1));
        }
        if (buffers.size() > 2) {
            bytes = array(buffers.get(2));
            bytesAt = position(buffers.get(2));
        }
        for (BufferVector child : children) {
            child.update(column.childLength(length));
        }
    }

    private static @Nullable Object array(MemorySegment buffer) {
        return buffer.heapBase().orElse(null);
    }

    private static long position(MemorySegment buffer) {
        return Platform.BYTE_ARRAY_OFFSET + buffer.address();
    }

    @Override
    public boolean isNullAt(int index) {
        return nullCount > 0 && ((Platform.getByte(valid, validAt + (index >>> 3)) >>> (index & 7)) & 1) == 0;
    }

    @Override
    public boolean hasNull() {
        return nullCount > 0;
    }

    @Override
    public int numNulls() {
        return nullCount;
    }

    @Override
    public boolean getBoolean(int index) {
        return getByte(index) != 0;
    }

    @Override
    public byte getByte(int index) {
        return Platform.getByte(values, valuesAt + index);
    }

    @Override
    public short getShort(int index) {
        return isWidened ? (short) (getByte(index) & 0xff) : storedShort(index);
    }

    private short storedShort(int index) {
        return Platform.getShort(values, valuesAt + (long) Short.BYTES * index);
    }

    @Override
    public int getInt(int index) {
        return isWidened ? Short.toUnsignedInt(storedShort(index)) : storedInt(index);
    }

    private int storedInt(int index) {
        return Platform.getInt(values, valuesAt + (long) Integer.BYTES * index);
    }

    @Override
    public long getLong(int index) {
        return isWidened
                ? Integer.toUnsignedLong(storedInt(index))
                : Platform.getLong(values, valuesAt + (long) Long.BYTES * index);
    }

    @Override
    public float getFloat(int index) {
        return Platform.getFloat(values, valuesAt + (long) Float.BYTES * index);
    }

    @Override
    public double getDouble(int index) {
        return Platform.getDouble(values, valuesAt + (long) Double.BYTES * index);
    }

    @Override
    public Decimal getDecimal(int index, int precision, int scale) {
        long value = getLong(index);
        return value >= 0
                ? Decimal.apply(value, precision, scale)
                : Decimal.apply(new BigDecimal(new BigInteger(Long.toUnsignedString(value))), precision, scale);
    }

    @Override
    public UTF8String getUTF8String(int index) {
        if (columnType instanceof ColumnType.Constant constant) {
            return names[switch (constant.indexByteSize()) {
                case Byte.BYTES -> Byte.toUnsignedInt(getByte(index));
                case Short.BYTES -> Short.toUnsignedInt(storedShort(index));
                default -> storedInt(index);
            }];
        }
        long view = valuesAt + (long) VIEW_BYTE_SIZE * index;
        int byteSize = Platform.getInt(values, view);
        if (byteSize > INLINE_LENGTH) {
            return UTF8String.fromAddress(bytes, bytesAt + Platform.getInt(values, view + INLINE_LENGTH), byteSize);
        }
        ShortTexts known = shortTexts;
        return known == null
                ? UTF8String.fromAddress(values, view + Integer.BYTES, byteSize)
                : known.get(values, view, byteSize);
    }

    @Override
    public ColumnarArray getArray(int index) {
        int first = arrayLength >= 0 ? index * arrayLength : storedInt(index);
        return new ColumnarArray(children[0], first, arrayLength >= 0 ? arrayLength : storedInt(index + 1) - first);
    }

    @Override
    public ColumnVector getChild(int ordinal) {
        return children[ordinal];
    }

    @Override
    public ColumnarMap getMap(int index) {
        throw new UnsupportedOperationException("Column has values of another type: type=" + dataType());
    }

    @Override
    public byte[] getBinary(int index) {
        throw new UnsupportedOperationException("Column has values of another type: type=" + dataType());
    }

    @Override
    public void close() {
        // The garbage collector frees the arrays.
    }
}
