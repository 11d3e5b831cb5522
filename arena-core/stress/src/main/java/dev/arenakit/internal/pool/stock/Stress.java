package dev.arenakit.internal.pool.stock;

import dev.arenakit.NativeAllocator;
import dev.arenakit.SlabPool;
import dev.arenakit.internal.pool.memory.Slab;

/// The slabs and the pools of the stress tests.
public final class Stress {
    private static final long SLAB = 1024;

    private Stress() {}

    /// A slab without memory.
    @SuppressWarnings("NullAway") // no cache
    public static Slab slab() {
        return new Slab(null, 4096, SLAB, null, false);
    }

    /// A pool of one slab.
    public static SlabPool pool() {
        // A mapping for each pool would exceed the limit of a process.
        return SlabPool.builder().allocator(NativeAllocator.libc()).slabByteSize(SLAB).maxByteSize(SLAB).build();
    }

    /// How many threads have acquired the slab so far, this one included, or 0 if it is not idle.
    public static int acquireAndRelease(SharedSlabCache cache) {
        Slab slab = cache.acquireAny();
        if (slab == null) {
            return 0;
        }
        int count = (int) ++slab.opens;
        cache.release(slab);
        return count;
    }
}
