package dev.arenakit.mapped.internal.column;

import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.StoredInteger;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Reads constants of an enum, as the indices of their names in a column.
public final class EnumIndices {
    private final EnumType type;
    private final StoredInteger integer;
    /// The values of the constants in ascending order, and the indices of their names.
    private final long[] values;
    private final int[] indices;
    /// The index of the name for all other values, or -1.
    private final int otherwise;
    /// The indices for all values of one byte, -1 for no constant. Empty if constants have more bytes, or other bits.
    private final int[] byteIndices;

    public EnumIndices(ColumnType.Constant constant) {
        type = constant.type();
        integer = constant.integer();
        List<EnumType.Constant> constants = type.constants();
        indices = IntStream.range(0, constants.size())
                .boxed()
                .sorted(Comparator.comparingLong(i -> constants.get(i).value()))
                .mapToInt(Integer::intValue)
                .toArray();
        values = Arrays.stream(indices).mapToLong(i -> constants.get(i).value()).toArray();
        otherwise = type.otherwise().isPresent() ? constants.size() : -1;
        byteIndices = integer.bitSize() == Byte.SIZE && integer.byteSize() == Byte.BYTES
                ? IntStream.range(0, 1 << Byte.SIZE)
                        .map(unsigned -> index(integer.isSigned() ? (byte) unsigned : unsigned))
                        .toArray()
                : new int[0];
    }

    /// Returns the index of a constant's name.
    ///
    /// @throws ConversionFailure if the value is not a constant of the enum
    public int read(MemorySegment segment, long from) {
        if (byteIndices.length > 0) {
            int index = byteIndices[segment.get(JAVA_BYTE, from) & 0xff];
            if (index >= 0) {
                return index;
            }
        }
        long value = integer.get(segment, from);
        int index = index(value);
        if (index < 0) {
            throw new ConversionFailure("not a constant of the enum: enum=" + type.name() + ", value="
                    + (type.isUnsigned() ? Long.toUnsignedString(value) : Long.toString(value)), from);
        }
        return index;
    }

    private int index(long value) {
        int found = Arrays.binarySearch(values, value);
        return found >= 0 ? indices[found] : otherwise;
    }
}
