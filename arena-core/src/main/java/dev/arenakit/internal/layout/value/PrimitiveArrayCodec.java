package dev.arenakit.internal.layout.value;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;

/// An array of primitive values, copied in bulk.
///
/// @param element the layout of an element
/// @param length  the number of elements
/// @param offset  the offset of the array in the struct
/// @param where   class and component, for messages
public record PrimitiveArrayCodec(ValueLayout element, int length, long offset,
        String where) implements ComponentCodec {
    @Override
    public Object read(MemorySegment segment, long base) {
        Object array = Array.newInstance(element.carrier(), length);
        if (array instanceof boolean[] booleans) {
            for (int i = 0; i < booleans.length; i++) {
                booleans[i] = segment.get(ValueLayout.JAVA_BOOLEAN, base + offset + i);
            }
        } else {
            MemorySegment.copy(segment, element, base + offset, array, 0, length);
        }
        return array;
    }

    @Override
    public Object prepare(MemorySegment segment, long base, Object value) {
        return ValueChecks.array(value, length, where);
    }

    @Override
    public PrimitiveArrayCodec withLength(int other) {
        return new PrimitiveArrayCodec(element, other, offset, where);
    }

    @Override
    public void write(MemorySegment segment, long base, Object prepared) {
        if (prepared instanceof boolean[] booleans) {
            for (int i = 0; i < booleans.length; i++) {
                segment.set(ValueLayout.JAVA_BOOLEAN, base + offset + i, booleans[i]);
            }
        } else {
            MemorySegment.copy(prepared, 0, segment, element, base + offset, length);
        }
    }
}
