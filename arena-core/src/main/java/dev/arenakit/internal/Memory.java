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
    /// One block by plain stores, since the set-up of a loop takes several times as long as they do; more by a loop of
    /// longs, of which C2 makes vector stores. Not more than one block: each access stands for some 600 nodes in the
    /// compilation of whoever closes an arena, and at 18,000 C2 stops to inline.
    public static void zeroBlocks(long address, long byteSize) {
        if (byteSize <= ZERO_BLOCK) {
            ALL.set(LONG, address, 0);
            ALL.set(LONG, address + 8, 0);
            ALL.set(LONG, address + 16, 0);
            ALL.set(LONG, address + 24, 0);
        } else {
            for (long offset = 0; offset < byteSize; offset += Long.BYTES) {
                ALL.set(LONG, address + offset, 0);
            }
        }
    }
}
