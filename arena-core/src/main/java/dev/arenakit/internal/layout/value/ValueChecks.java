package dev.arenakit.internal.layout.value;

import dev.arenakit.internal.layout.emit.KnownMethods;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/// Checks of values before they are written. The parameter `where` is class and component, for messages.
public final class ValueChecks {
    private ValueChecks() {}

    /// Returns the method [#address].
    public static MethodHandle ofAddress() {
        return KnownMethods.findStatic(MethodHandles.lookup(), ValueChecks.class, "address", MemorySegment.class,
                Object.class, String.class);
    }

    static Object required(@Nullable Object value, String where) {
        if (value == null) {
            throw new NullPointerException(isNull(where));
        }
        return value;
    }

    public static String isNull(String where) {
        return "Component is null: " + where;
    }

    public static MemorySegment address(@Nullable Object value, String where) {
        MemorySegment segment = (MemorySegment) required(value, where);
        if (!segment.isNative()) {
            throw new IllegalArgumentException("Heap segment has no address: " + where
                    + "; allocate it in an arena");
        }
        return segment;
    }

    static Object array(@Nullable Object array, int length, String where) {
        int actual = Array.getLength(required(array, where));
        if (actual != length) {
            throw new IllegalArgumentException("Array has another length: " + where + ", length=" + actual
                    + ", expected=" + length);
        }
        return required(array, where);
    }
}
