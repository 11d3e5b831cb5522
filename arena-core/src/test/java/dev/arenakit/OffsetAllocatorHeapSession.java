package dev.arenakit;

import java.lang.foreign.MemorySegment;

/// Uses a segment for whose last slabs a small heap has no memory.
final class OffsetAllocatorHeapSession {
    /// Address space alone: no block is accessed.
    private static final long ADDRESS = 1L << 45;
    private static final long BYTE_SIZE = 1L << 40;

    @SuppressWarnings("restricted")
    public static void main(String[] args) {
        OffsetAllocator allocator = OffsetAllocator.over(MemorySegment.ofAddress(ADDRESS).reinterpret(BYTE_SIZE));
        long large = allocator.allocateRaw(BYTE_SIZE / 2);
        for (int i = 0; i < 3; i++) {
            for (long byteSize : new long[]{1, 100_000}) {
                FreeListStatistics before = allocator.stats();
                try {
                    allocator.allocateRaw(byteSize);
                    throw new AssertionError("The heap is not small enough");
                } catch (OutOfMemoryError e) {
                    if (allocator.stats().usedByteSize() != before.usedByteSize()) {
                        throw new AssertionError("Lost: " + allocator.stats(), e);
                    }
                }
            }
        }
        allocator.freeRaw(large);
        allocator.freeRaw(allocator.allocateRaw(1));
        allocator.freeRaw(allocator.allocateRaw(100_000));
        System.out.println("refused");
    }
}
