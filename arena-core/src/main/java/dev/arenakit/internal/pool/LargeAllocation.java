package dev.arenakit.internal.pool;

import org.jspecify.annotations.Nullable;

/// A block of the native allocator that a slab arena has allocated because it is too large for a slab.
final class LargeAllocation {
    /// The address, or 0 once the block is being freed.
    long address;
    final long byteSize;
    final long byteAlignment;
    /// The large allocation that the same arena made before this one.
    final @Nullable LargeAllocation previous;

    LargeAllocation(long address, long byteSize, long byteAlignment, @Nullable LargeAllocation previous) {
        this.address = address;
        this.byteSize = byteSize;
        this.byteAlignment = byteAlignment;
        this.previous = previous;
    }
}
