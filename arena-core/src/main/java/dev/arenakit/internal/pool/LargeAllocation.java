package dev.arenakit.internal.pool;

import org.jspecify.annotations.Nullable;

/// A block of the native allocator that is too large for a slab, and the block that was allocated before it.
final class LargeAllocation {
    final long address;
    final long byteSize;
    final long byteAlignment;
    final @Nullable LargeAllocation previous;

    LargeAllocation(long address, long byteSize, long byteAlignment, @Nullable LargeAllocation previous) {
        this.address = address;
        this.byteSize = byteSize;
        this.byteAlignment = byteAlignment;
        this.previous = previous;
    }

    /// Loads this class.
    static void load() {}
}
