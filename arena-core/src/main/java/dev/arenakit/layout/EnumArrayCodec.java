package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;

/// An array of constants of an enum.
///
/// @param type    the class of the enum
/// @param codec   the constants and their values
/// @param element the layout of an element
/// @param length  the number of elements
/// @param offset  the offset of the array in the struct
/// @param where   class and component, for messages
record EnumArrayCodec(Class<?> type, EnumCodec codec, ValueLayout element, int length, long offset, String where)
        implements
            ComponentCodec {
    @Override
    public Object read(MemorySegment segment, long base) {
        Object[] array = (Object[]) Array.newInstance(type, length);
        for (int i = 0; i < length; i++) {
            array[i] = codec.constant(get(segment, base + offset + i * element.byteSize()));
        }
        return array;
    }

    @Override
    public long[] prepare(Object value) {
        Object[] array = (Object[]) ValueChecks.array(value, length, where);
        long[] values = new long[length];
        for (int i = 0; i < length; i++) {
            values[i] = codec.value(array[i]);
        }
        return values;
    }

    @Override
    public void write(MemorySegment segment, long base, Object prepared) {
        long[] values = (long[]) prepared;
        for (int i = 0; i < values.length; i++) {
            set(segment, base + offset + i * element.byteSize(), values[i]);
        }
    }

    private long get(MemorySegment segment, long byteOffset) {
        return switch (element) {
            case ValueLayout.OfByte layout -> segment.get(layout, byteOffset);
            case ValueLayout.OfShort layout -> segment.get(layout, byteOffset);
            case ValueLayout.OfInt layout -> segment.get(layout, byteOffset);
            case ValueLayout.OfLong layout -> segment.get(layout, byteOffset);
            default -> throw new AssertionError(element);
        };
    }

    private void set(MemorySegment segment, long byteOffset, long value) {
        switch (element) {
            case ValueLayout.OfByte layout -> segment.set(layout, byteOffset, (byte) value);
            case ValueLayout.OfShort layout -> segment.set(layout, byteOffset, (short) value);
            case ValueLayout.OfInt layout -> segment.set(layout, byteOffset, (int) value);
            case ValueLayout.OfLong layout -> segment.set(layout, byteOffset, value);
            default -> throw new AssertionError(element);
        }
    }
}
