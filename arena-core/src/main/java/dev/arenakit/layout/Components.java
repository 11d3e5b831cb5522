package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/// Checks of values before they are written. `where` names class and component.
final class Components {
    private Components() {}

    static Object required(@Nullable Object value, String where) {
        if (value == null) {
            throw new NullPointerException("Component is null: " + where);
        }
        return value;
    }

    static MemorySegment address(@Nullable Object value, String where) {
        MemorySegment segment = (MemorySegment) required(value, where);
        if (!segment.isNative()) {
            throw new IllegalArgumentException("Segment on the heap has no address: " + where
                    + "; allocate it in an arena");
        }
        return segment;
    }

    static Object array(@Nullable Object array, int length, String where) {
        int actual = Array.getLength(required(array, where));
        if (actual != length) {
            throw new IllegalArgumentException("Array is of another length: " + where + ", length=" + actual
                    + ", expected=" + length);
        }
        return required(array, where);
    }
}
