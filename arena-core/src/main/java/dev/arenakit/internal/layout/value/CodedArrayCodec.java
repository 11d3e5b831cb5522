package dev.arenakit.internal.layout.value;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;

/// An array of arrays, or of text.
///
/// @param type    the class of the elements
/// @param element the codec of an element at the offset of the struct
/// @param stride  the size of an element
/// @param length  the number of elements
/// @param offset  the offset of the array in the struct
/// @param where   class and component, for messages
public record CodedArrayCodec(Class<?> type, ComponentCodec element, long stride, int length, long offset, String where)
        implements
            ComponentCodec {
    @Override
    public Object read(MemorySegment segment, long base) {
        Object[] array = (Object[]) Array.newInstance(type, length);
        for (int i = 0; i < length; i++) {
            array[i] = element.read(segment, base + offset + i * stride);
        }
        return array;
    }

    @Override
    public Object[] prepare(MemorySegment segment, long base, Object value) {
        Object[] array = (Object[]) ValueChecks.array(value, length, where);
        Object[] prepared = new Object[length];
        for (int i = 0; i < length; i++) {
            prepared[i] = element.prepare(segment, base + offset + i * stride, array[i]);
        }
        return prepared;
    }

    @Override
    public void write(MemorySegment segment, long base, Object prepared) {
        Object[] array = (Object[]) prepared;
        for (int i = 0; i < array.length; i++) {
            element.write(segment, base + offset + i * stride, array[i]);
        }
    }

    @Override
    public CodedArrayCodec withLength(int other) {
        return new CodedArrayCodec(type, element, stride, other, offset, where);
    }
}
