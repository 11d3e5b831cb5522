package dev.arenakit.sql.internal.duckdb;

import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

/// Access to native memory by address. The caller guarantees that the address is valid.
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
