package dev.arenakit.sql.internal.duckdb;

import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

/// Access to native memory by address. The caller guarantees that the address is valid.
///
/// The loops copy one column of consecutive structs into a vector. The values of consecutive structs are `stride` bytes
/// apart. The engine reads vectors in native byte order: `isSwapped` says that the structs have the other order.
public final class NativeMemory {
    /// Native access is checked before the first use of this class.
    public static final MemorySegment ALL = Scopes.viewOf(Arena.global());

    private NativeMemory() {}

    public static byte getByte(long address) {
        return ALL.get(JAVA_BYTE, address);
    }

    public static void putByte(long address, byte value) {
        ALL.set(JAVA_BYTE, address, value);
    }

    public static short getShort(long address) {
        return ALL.get(JAVA_SHORT_UNALIGNED, address);
    }

    public static void putShort(long address, short value) {
        ALL.set(JAVA_SHORT_UNALIGNED, address, value);
    }

    public static int getInt(long address) {
        return ALL.get(JAVA_INT_UNALIGNED, address);
    }

    public static void putInt(long address, int value) {
        ALL.set(JAVA_INT_UNALIGNED, address, value);
    }

    public static long getLong(long address) {
        return ALL.get(JAVA_LONG_UNALIGNED, address);
    }

    public static void putLong(long address, long value) {
        ALL.set(JAVA_LONG_UNALIGNED, address, value);
    }

    public static void copy(long from, long to, long byteSize) {
        MemorySegment.copy(ALL, from, ALL, to, byteSize);
    }

    public static void copyBytes(long from, long stride, int count, long to) {
        for (int i = 0; i < count; i++) {
            ALL.set(JAVA_BYTE, to + i, ALL.get(JAVA_BYTE, from + i * stride));
        }
    }

    /// Any byte that is not 0 becomes 1, the only true value that the engine knows.
    public static void copyBooleans(long from, long stride, int count, long to) {
        for (int i = 0; i < count; i++) {
            ALL.set(JAVA_BYTE, to + i, (byte) (ALL.get(JAVA_BYTE, from + i * stride) == 0 ? 0 : 1));
        }
    }

    public static void copyShorts(long from, long stride, int count, long to, boolean isSwapped) {
        for (int i = 0; i < count; i++) {
            short value = ALL.get(JAVA_SHORT_UNALIGNED, from + i * stride);
            ALL.set(JAVA_SHORT_UNALIGNED, to + (long) i * Short.BYTES, isSwapped ? Short.reverseBytes(value) : value);
        }
    }

    public static void copyInts(long from, long stride, int count, long to, boolean isSwapped) {
        for (int i = 0; i < count; i++) {
            int value = ALL.get(JAVA_INT_UNALIGNED, from + i * stride);
            ALL.set(JAVA_INT_UNALIGNED, to + (long) i * Integer.BYTES, isSwapped ? Integer.reverseBytes(value) : value);
        }
    }

    public static void copyLongs(long from, long stride, int count, long to, boolean isSwapped) {
        for (int i = 0; i < count; i++) {
            long value = ALL.get(JAVA_LONG_UNALIGNED, from + i * stride);
            ALL.set(JAVA_LONG_UNALIGNED, to + (long) i * Long.BYTES, isSwapped ? Long.reverseBytes(value) : value);
        }
    }

    /// Whether all bytes of a range are zero.
    public static boolean isZero(long address, long byteSize) {
        long i = 0;
        for (; i + Long.BYTES <= byteSize; i += Long.BYTES) {
            if (ALL.get(JAVA_LONG_UNALIGNED, address + i) != 0) {
                return false;
            }
        }
        for (; i < byteSize; i++) {
            if (ALL.get(JAVA_BYTE, address + i) != 0) {
                return false;
            }
        }
        return true;
    }
}
