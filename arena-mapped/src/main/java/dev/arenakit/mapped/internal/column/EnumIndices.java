package dev.arenakit.mapped.internal.column;

import dev.arenakit.layout.type.EnumType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// Reads constants of an enum, as the indices of their names in a column.
public final class EnumIndices {
    private final EnumType type;
    private final IntegerReader integer;
    /// The values of the constants in ascending order, and the indices of their names.
    private final long[] values;
    private final int[] indices;
    /// The index of the name for all other values, or -1.
    private final int otherwise;

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
    }

    /// Returns the index of a constant's name.
    ///
    /// @throws ConversionFailure if the value is not a constant of the enum
    public int read(MemorySegment segment, long from) {
        long value = integer.read(segment, from);
        int found = Arrays.binarySearch(values, value);
        if (found >= 0) {
            return indices[found];
        }
        if (otherwise < 0) {
            throw new ConversionFailure("not a constant of the enum: enum=" + type.name() + ", value="
                    + (type.isUnsigned() ? Long.toUnsignedString(value) : Long.toString(value)), from);
        }
        return otherwise;
    }
}
