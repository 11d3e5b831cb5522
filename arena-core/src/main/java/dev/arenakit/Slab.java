package dev.arenakit;

import dev.arenakit.internal.Memory;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/// A range of native memory of the pool's slab size, with its state and its owner.
///
/// The bump pointer belongs to the arena that has acquired the slab. Nothing in this class changes during an
/// allocation.
final class Slab extends SlabState.PaddingAfter {
    /// Available in a cache of the pool.
    static final int IDLE = 0;
    /// Acquired as the first slab of an arena. There are as many primary slabs as open arenas.
    static final int PRIMARY = 1;
    /// Acquired by an arena that has filled its previous slab.
    static final int OVERFLOW = 2;
    /// Returned to the native allocator. The owner may not have noticed yet.
    static final int FREED = 3;

    final SlabCache cache;
    private final boolean zeroed;
    final long address;
    /// End address, exclusive.
    final long limit;
    /// The slot of the [SharedSlabCache] that this slab returns to, or -1. It is changed under the pool's lock, by the
    /// thread that has acquired the slab.
    int slot = -1;
    /// The slab that the same arena filled before this one; in the shared cache, the next slab of the stack.
    @Nullable
    Slab previous;
    /// The number of bytes that the arena had used when it moved on to another slab.
    long usedByteSize;

    /// The id of the thread that owns this slab between its arenas, or 0. Ids start at 1 and are never reused. It is
    /// changed under the pool's lock, while no arena has the slab.
    long ownerId;
    private @Nullable WeakReference<Thread> owner;

    Slab(SlabCache cache, long address, long byteSize, boolean zeroed) {
        this.cache = cache;
        this.zeroed = zeroed;
        this.address = address;
        this.limit = address + byteSize;
    }

    /// Whether an allocation is too large for a slab and becomes a [LargeAllocation].
    ///
    /// The limit is a quarter of a slab. An arena that moves on to its next slab then wastes a quarter of a slab at
    /// most, and every allocation below the limit fits into a new slab, whatever its alignment.
    boolean isLarge(long byteSize, long byteAlignment) {
        long largest = (limit - address) >>> 2;
        return byteSize > largest || byteAlignment > largest;
    }

    /// Zeros a range that has been used, if the pool is zeroed. The range starts at a multiple of [Memory#ZERO_BLOCK],
    /// as slabs start and end, and the bytes between its end and the next multiple are free.
    void zero(long begin, long byteSize) {
        if (zeroed && byteSize > 0) {
            Memory.zeroBlocks(begin, byteSize);
        }
    }

    void setOwner(Thread thread) {
        ownerId = thread.threadId();
        owner = new WeakReference<>(thread);
    }

    void clearOwner() {
        ownerId = 0;
        owner = null;
    }

    /// Whether the owner has terminated. If so, the caller sees everything that the owner has written.
    boolean isOrphaned() {
        Thread thread = owner == null ? null : owner.get();
        return thread == null || !thread.isAlive();
    }
}
