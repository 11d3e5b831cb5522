package dev.arenakit.internal.layout.value;

import dev.arenakit.internal.layout.declaration.PackedInteger;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;

/// An array of constants of an enum.
///
/// @param type    the class of the enum
/// @param codec   the constants and their values
/// @param element an element in memory
/// @param length  the number of elements
/// @param offset  the offset of the array in the struct
/// @param where   class and component, for messages
public record EnumArrayCodec(Class<?> type, EnumCodec codec, PackedInteger element, int length, long offset,
        String where)
        implements
            ComponentCodec {
    @Override
    public Object read(MemorySegment segment, long base) {
        Object[] array = (Object[]) Array.newInstance(type, length);
        for (int i = 0; i < length; i++) {
            array[i] = codec.constant(element.get(segment, base + offset + (long) i * element.byteSize()));
        }
        return array;
    }

    @Override
    public long[] prepare(MemorySegment segment, long base, Object value) {
        Object[] array = (Object[]) ValueChecks.array(value, length, where);
        long[] values = new long[length];
        for (int i = 0; i < length; i++) {
            values[i] = codec.value(array[i]);
        }
        return values;
    }

    @Override
    public EnumArrayCodec withLength(int other) {
        return new EnumArrayCodec(type, codec, element, other, offset, where);
    }

    @Override
    public void write(MemorySegment segment, long base, Object prepared) {
        long[] values = (long[]) prepared;
        for (int i = 0; i < values.length; i++) {
            element.set(segment, base + offset + (long) i * element.byteSize(), values[i]);
        }
    }
}
