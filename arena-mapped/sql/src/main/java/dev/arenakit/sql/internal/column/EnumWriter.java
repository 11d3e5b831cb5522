package dev.arenakit.sql.internal.column;

import dev.arenakit.layout.type.EnumType;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import dev.arenakit.sql.internal.duckdb.NativeMemory;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// Copies constants of enums, as the indices of their names.
final class EnumWriter extends ColumnWriter {
    /// The largest number of names for an index of 1 byte, and of 2 bytes. The index of more names has 4 bytes.
    private static final int MOST_BYTES = 0xff;
    private static final int MOST_SHORTS = 0xffff;

    private final EnumType type;
    private final IntegerReader integer;
    private final int byteSize;
    /// The values of the constants in ascending order, and the indices of their names.
    private final long[] values;
    private final int[] indices;
    /// The index of the name for all other values, or -1.
    private final int otherwise;

    EnumWriter(DuckDbLibrary engine, ColumnType.Constant constant) {
        super(engine);
        type = constant.type();
        integer = constant.integer();
        int names = constant.names().size();
        byteSize = names <= MOST_BYTES ? Byte.BYTES : names <= MOST_SHORTS ? Short.BYTES : Integer.BYTES;
        List<EnumType.Constant> constants = type.constants();
        indices = IntStream.range(0, constants.size())
                .boxed()
                .sorted(Comparator.comparingLong(i -> constants.get(i).value()))
                .mapToInt(Integer::intValue)
                .toArray();
        values = Arrays.stream(indices).mapToLong(i -> constants.get(i).value()).toArray();
        otherwise = type.otherwise().isPresent() ? constants.size() : -1;
    }

    @Override
    public void write(long from, long stride, int count, long index, long struct, long structStride) {
        for (int i = 0; i < count; i++) {
            long address = from + i * stride;
            int name = name(integer.read(address), address);
            long at = data + (index + i) * byteSize;
            switch (byteSize) {
                case Byte.BYTES -> NativeMemory.putByte(at, (byte) name);
                case Short.BYTES -> NativeMemory.putShort(at, (short) name);
                default -> NativeMemory.putInt(at, name);
            }
        }
    }

    private int name(long value, long address) {
        int found = Arrays.binarySearch(values, value);
        if (found >= 0) {
            return indices[found];
        }
        if (otherwise < 0) {
            throw new ConversionFailure("not a constant of the enum: enum=" + type.name() + ", value="
                    + (type.isUnsigned() ? Long.toUnsignedString(value) : Long.toString(value)), address);
        }
        return otherwise;
    }
}
