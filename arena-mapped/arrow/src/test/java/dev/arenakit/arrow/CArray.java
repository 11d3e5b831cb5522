package dev.arenakit.arrow;

import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// The view of a consumer on a column of numbers.
@SuppressWarnings("restricted") // A consumer reads memory at addresses.
final class CArray {
    private static final long SCHEMA_BYTE_SIZE = 72;
    private static final long ARRAY_BYTE_SIZE = 80;
    private static final long RELEASE = 64;

    private final MemorySegment schema;
    private final MemorySegment array;

    CArray(ArrowExport export) {
        this(export.schemaAddress(), export.arrayAddress());
    }

    CArray(long schemaAddress, long arrayAddress) {
        schema = MemorySegment.ofAddress(schemaAddress).reinterpret(SCHEMA_BYTE_SIZE);
        array = MemorySegment.ofAddress(arrayAddress).reinterpret(ARRAY_BYTE_SIZE);
    }

    MemorySegment struct() {
        return array;
    }

    String format() {
        return schema.get(ADDRESS, 0).reinterpret(Long.MAX_VALUE).getString(0);
    }

    long length() {
        return array.get(JAVA_LONG, 0);
    }

    /// The memory of the values.
    MemorySegment values() {
        long byteSize = switch (format()) {
            case "c" -> 1;
            case "s", "S" -> 2;
            case "i", "f" -> 4;
            default -> 8;
        };
        MemorySegment buffers = array.get(ADDRESS, 40).reinterpret(2 * ADDRESS.byteSize());
        return buffers.getAtIndex(ADDRESS, 1).reinterpret(length() * byteSize);
    }

    long[] longs() {
        return values().toArray(JAVA_LONG);
    }

    boolean isReleased() {
        return array.get(JAVA_LONG, RELEASE) == 0;
    }

    /// Calls the function of the struct, if there is one.
    void release() {
        long function = array.get(JAVA_LONG, RELEASE);
        if (function != 0) {
            ArrowPeer.release(function, array.address());
        }
    }
}
