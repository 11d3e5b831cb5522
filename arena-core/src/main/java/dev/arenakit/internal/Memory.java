package dev.arenakit.internal;

import dev.arenakit.internal.nativecall.NativeCalls;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Access to native memory by address, without a lifetime.
///
/// This class is for internal data structures and for memory that no live segment refers to. The caller guarantees that
/// the address is valid.
public final class Memory {
    /// All native memory, by address.
    public static final MemorySegment ALL = Scopes.viewOf(Arena.global());
    /// memset takes ten microseconds for this size.
    private static final long LARGEST_CALL = 1024 * 1024;
    private static final ValueLayout.OfLong LONG = JAVA_LONG.withByteAlignment(1);

    private Memory() {}

    /// Returns the byte at the address.
    public static byte getByte(long address) {
        return ALL.get(JAVA_BYTE, address);
    }

    /// Returns the memory at the address as a segment.
    public static MemorySegment segment(long address, long byteSize) {
        return ALL.asSlice(address, byteSize);
    }

    /// Returns the 8 bytes at the address, in native order.
    public static long getLong(long address) {
        return ALL.get(LONG, address);
    }

    /// Returns the 4 bytes at the address, in native order.
    public static int getInt(long address) {
        return ALL.get(JAVA_INT_UNALIGNED, address);
    }

    /// Sets the 8 bytes at the address, in native order.
    public static void putLong(long address, long value) {
        ALL.set(LONG, address, value);
    }

    /// Copies bytes between ranges, which may overlap.
    public static void copy(long from, long to, long byteSize) {
        MemorySegment.copy(ALL, from, ALL, to, byteSize);
    }

    /// Sets bytes to zero, by calls of memset that are too short to delay a safepoint.
    public static void zero(long address, long byteSize) {
        for (long offset = 0; offset < byteSize; offset += LARGEST_CALL) {
            NativeCalls.zero(address + offset, Math.min(byteSize - offset, LARGEST_CALL));
        }
    }

    /// The unit to which [#zeroShort] and [#zeroBlocks] round a size up, in bytes.
    public static final long ZERO_BLOCK = 64;

    /// The largest size for which memset is faster than a loop. A session of one block takes 7 ns with memset and 14 ns
    /// with a loop for 256 bytes, 9 ns and 17 ns for 1 KiB. At 4 KiB the loop is faster: 22 ns against 36 ns.
    public static final long LARGEST_MEMSET = 2048;

    /// All bits that an address can have. C2 omits the checks of bounds of an address with this mask.
    public static final long ADDRESS_BITS = Long.MAX_VALUE >>> 1;

    /// Sets a range of 1 to [#LARGEST_MEMSET] bytes to zero, and possibly the bytes after it, up to the next
    /// multiple of [#ZERO_BLOCK] from its start.
    ///
    /// The stores for few bytes are two loops: each access adds some 700 nodes to the compilation of the method that
    /// closes an arena, while a loop, which C2 unrolls, counts as one access, and C2 stops inlining at 18,000 nodes.
    public static void zeroShort(long address, long byteSize) {
        if (byteSize > ZERO_BLOCK) {
            NativeCalls.zero(address, byteSize);
            return;
        }
        zeroHalf(address);
        if (byteSize > ZERO_BLOCK / 2) {
            zeroHalf(address + ZERO_BLOCK / 2);
        }
    }

    private static void zeroHalf(long begin) {
        long address = begin & ADDRESS_BITS;
        for (int offset = 0; offset < ZERO_BLOCK / 2; offset += Long.BYTES) {
            ALL.set(LONG, address + offset, 0);
        }
    }

    /// Sets a range of any size to zero, and possibly the bytes after it, up to the next multiple of [#ZERO_BLOCK] from
    /// its start. C2 compiles the loop to vector stores.
    public static void zeroBlocks(long address, long byteSize) {
        if (byteSize <= LARGEST_MEMSET) {
            zeroShort(address, byteSize);
            return;
        }
        for (long offset = 0; offset < byteSize; offset += Long.BYTES) {
            ALL.set(LONG, address + offset, 0);
        }
    }
}
