package dev.arenakit;

import org.jspecify.annotations.Nullable;

/// A block of the native allocator that a slab arena has allocated because it is too large for a slab.
final class LargeAllocation {
    final long address;
    final long byteSize;
    /// The large allocation that the same arena made before this one.
    final @Nullable LargeAllocation previous;

    LargeAllocation(long address, long byteSize, @Nullable LargeAllocation previous) {
        this.address = address;
        this.byteSize = byteSize;
        this.previous = previous;
    }
}
