package dev.arenakit.internal.layout.value;

import dev.arenakit.layout.type.StoredInteger;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;

/// An array that may contain fewer elements than memory has space for. Another component is the number of its elements.
///
/// @param array       the codec of the whole array
/// @param length      the number of elements that memory has space for
/// @param count       the integer in memory that is the number of elements
/// @param countOffset the offset of that integer in the struct
/// @param where       class and component, for messages
public record CountedArrayCodec(ArrayCodec array, int length, StoredInteger count, long countOffset, String where)
        implements
            ComponentCodec {
    private record Prepared(ArrayCodec codec, int count, Object value) {}

    @Override
    public Object read(MemorySegment segment, long base) {
        long present = count.get(segment, base + countOffset);
        if (present < 0 || present > length) {
            throw new IllegalArgumentException("Number of elements in memory is out of range: " + where + ", count="
                    + present + ", length=" + length);
        }
        return array.withLength((int) present).read(segment, base);
    }

    @Override
    public Object prepare(MemorySegment segment, long base, Object value) {
        int present = Array.getLength(ValueChecks.required(value, where));
        if (present > length) {
            throw new IllegalArgumentException("Array is too long: " + where + ", length=" + present + ", largest="
                    + length);
        }
        ArrayCodec codec = array.withLength(present);
        return new Prepared(codec, present, codec.prepare(segment, base, value));
    }

    /// Checks that the component with the number of elements has the length of the array.
    ///
    /// @param prepared the result of [#prepare]
    public void check(long number, Object prepared) {
        checkLength(number, ((Prepared) prepared).count());
    }

    /// Checks the count of an array that was prepared and written.
    public void checkArray(long number, Object array) {
        checkLength(number, Array.getLength(array));
    }

    private void checkLength(long number, int present) {
        if (number != present) {
            throw new IllegalArgumentException("Array does not have the length that its count says: " + where
                    + ", length=" + present + ", count=" + number);
        }
    }

    @Override
    public void write(MemorySegment segment, long base, Object prepared) {
        Prepared some = (Prepared) prepared;
        some.codec().write(segment, base, some.value());
    }
}
