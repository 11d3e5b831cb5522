package dev.arenakit;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;

/// Creates allocators, whose data takes more address space together than a process has, and discards them.
final class OffsetAllocatorDiscardSession {
    /// Address space alone: no block is accessed.
    private static final long ADDRESS = 1L << 45;
    private static final long BYTE_SIZE = 1L << 40;
    /// The data takes a sixteenth of the segment.
    private static final long ALLOCATORS = 16 * Sizes.ADDRESSABLE / BYTE_SIZE + 100;

    @SuppressWarnings("restricted")
    public static void main(String[] args) {
        MemorySegment memory = MemorySegment.ofAddress(ADDRESS).reinterpret(BYTE_SIZE);
        for (long i = 0; i < ALLOCATORS; i++) {
            if (OffsetAllocator.over(memory).allocateRaw(8) <= 0) {
                throw new AssertionError("Not an offset");
            }
        }
        System.out.println("created");
    }
}
