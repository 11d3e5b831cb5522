package dev.arenakit;

import org.jspecify.annotations.Nullable;

/// A block of the native allocator that a slab arena has for one large allocation.
final class NativeBlock {
    final long address;
    final long byteSize;
    /// The block that the same arena got before this one.
    final @Nullable NativeBlock below;

    NativeBlock(long address, long byteSize, @Nullable NativeBlock below) {
        this.address = address;
        this.byteSize = byteSize;
        this.below = below;
    }
}
