package dev.arenakit.internal.layout.value;

import dev.arenakit.internal.layout.declaration.PackedInteger;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;

/// An array of unsigned integers that are smaller in memory than their type in Java.
///
/// @param type    the class of the elements
/// @param element an element in memory
/// @param range   the values of an element
/// @param length  the number of elements
/// @param offset  the offset of the array in the struct
public record IntegerArrayCodec(Class<?> type, PackedInteger element, IntegerRange range, int length,
        long offset) implements ComponentCodec {
    @Override
    public Object read(MemorySegment segment, long base) {
        Object array = Array.newInstance(type, length);
        for (int i = 0; i < length; i++) {
            long value = element.get(segment, base + offset + (long) i * element.byteSize());
            switch (array) {
                case long[] longs -> longs[i] = value;
                case int[] ints -> ints[i] = (int) value;
                case short[] shorts -> shorts[i] = (short) value;
                default -> ((char[]) array)[i] = (char) value;
            }
        }
        return array;
    }

    @Override
    public long[] prepare(MemorySegment segment, long base, Object value) {
        Object array = ValueChecks.array(value, length, range.where());
        long[] values = new long[length];
        for (int i = 0; i < length; i++) {
            values[i] = range.checked(switch (array) {
                case long[] longs -> longs[i];
                case int[] ints -> ints[i];
                case short[] shorts -> shorts[i];
                default -> ((char[]) array)[i];
            });
        }
        return values;
    }

    @Override
    public void write(MemorySegment segment, long base, Object prepared) {
        long[] values = (long[]) prepared;
        for (int i = 0; i < values.length; i++) {
            element.set(segment, base + offset + (long) i * element.byteSize(), values[i]);
        }
    }

    @Override
    public IntegerArrayCodec withLength(int other) {
        return new IntegerArrayCodec(type, element, range, other, offset);
    }
}
