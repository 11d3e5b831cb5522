package dev.arenakit.internal.pool.memory;

import org.jspecify.annotations.Nullable;

/// A block of the native allocator that is too large for a slab, and the block that was allocated before it.
public final class LargeAllocation {
    public final long address;
    public final long byteSize;
    public final long byteAlignment;
    /// The size that the pool counts.
    public final long takenByteSize;
    /// Changed by the arena that has this block.
    public @Nullable LargeAllocation previous;

    public LargeAllocation(long address, long byteSize, long byteAlignment, long takenByteSize) {
        this.address = address;
        this.byteSize = byteSize;
        this.byteAlignment = byteAlignment;
        this.takenByteSize = takenByteSize;
    }

    /// Loads this class.
    public static void load() {}
}
