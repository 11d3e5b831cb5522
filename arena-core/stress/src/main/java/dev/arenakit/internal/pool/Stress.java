package dev.arenakit.internal.pool;

import dev.arenakit.NativeAllocator;
import dev.arenakit.SlabPool;

/// The slabs and the pools of the stress tests.
final class Stress {
    private static final long SLAB = 1024;

    private Stress() {}

    /// A slab without memory.
    @SuppressWarnings("NullAway") // no cache
    static Slab slab() {
        return new Slab(null, 4096, SLAB, null, false);
    }

    /// A pool of one slab.
    static SlabPool pool() {
        // A mapping for each pool would exceed the limit of a process.
        return SlabPool.builder().allocator(NativeAllocator.libc()).slabByteSize(SLAB).maxByteSize(SLAB).build();
    }

    /// How many threads have acquired the slab so far, this one included, or 0 if it is not idle.
    static int acquireAndRelease(SharedSlabCache cache) {
        Slab slab = cache.acquireAny();
        if (slab == null) {
            return 0;
        }
        int count = (int) ++slab.opens;
        cache.release(slab);
        return count;
    }
}
