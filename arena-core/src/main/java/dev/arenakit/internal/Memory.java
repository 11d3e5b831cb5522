package dev.arenakit.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Native memory by address, without a lifetime: for bookkeeping of our own and for memory that no segment refers to any
/// more. Whoever calls this vouches for the address.
public final class Memory {
    private static final MemorySegment ALL = Scopes.viewOf(Arena.global());
    private static final ValueLayout.OfLong LONG = JAVA_LONG.withByteAlignment(1);

    private Memory() {}

    /// The 8 bytes at the address, in native order.
    public static long getLong(long address) {
        return ALL.get(LONG, address);
    }

    /// Sets the 8 bytes at the address, in native order.
    public static void putLong(long address, long value) {
        ALL.set(LONG, address, value);
    }

    /// Copies bytes between ranges that do not overlap.
    public static void copy(long from, long to, long byteSize) {
        MemorySegment.copy(ALL, from, ALL, to, byteSize);
    }

    /// Sets bytes to zero.
    public static void zero(long address, long byteSize) {
        ALL.asSlice(address, byteSize).fill((byte) 0);
    }

    /// What [#zeroBlocks] rounds a size up to, in bytes.
    public static final long ZERO_BLOCK = 32;

    /// Sets a range to zero, and perhaps what follows it, up to the next multiple of [#ZERO_BLOCK] from its begin.
    ///
    /// Up to two blocks by plain stores (1 to 2 ns, where the set-up of a loop takes 7), more by a loop of longs, which
    /// C2 turns into vector stores that need a third of the time of `MemorySegment.fill` between 64 bytes and 64 KiB.
    public static void zeroBlocks(long address, long byteSize) {
        if (byteSize <= 2 * ZERO_BLOCK) {
            zeroBlock(address);
            if (byteSize > ZERO_BLOCK) {
                zeroBlock(address + ZERO_BLOCK);
            }
        } else {
            for (long offset = 0; offset < byteSize; offset += Long.BYTES) {
                ALL.set(LONG, address + offset, 0);
            }
        }
    }

    private static void zeroBlock(long address) {
        ALL.set(LONG, address, 0);
        ALL.set(LONG, address + 8, 0);
        ALL.set(LONG, address + 16, 0);
        ALL.set(LONG, address + 24, 0);
    }
}
