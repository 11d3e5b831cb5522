package dev.arenakit.internal.freelist;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.Scopes;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.pool.Slab;
import dev.arenakit.internal.pool.SlabCache;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The source of the memory of an arena: a native allocator, or a pool, whose limit then counts the memory.
public final class SlabSource {
    /// The wait for the garbage collector is doubled up to this one.
    private static final long LONGEST_WAIT_MILLIS = 256;

    final AllocatorFunctions allocator;
    private final @Nullable SlabCache pool;
    /// The pool's hold: a slab, so that the pool counts this source as an open arena; null without a pool.
    private final @Nullable Slab hold;

    /// Creates a source that takes its memory from an allocator.
    public SlabSource(AllocatorFunctions allocator) {
        this(allocator, null);
    }

    /// Creates a source that takes its memory from the allocator of a pool.
    public SlabSource(SlabCache pool) {
        this(pool.allocator(), pool);
    }

    private SlabSource(AllocatorFunctions allocator, @Nullable SlabCache pool) {
        this.allocator = allocator;
        this.pool = pool;
        hold = pool == null ? null : pool.acquireSharedPrimary();
    }

    /// Allocates memory that is freed when the segment is unreachable. It is not zeroed, and no page of it is touched.
    ///
    /// If there is no memory left, waits up to half a second for such memory to be freed by a garbage collection.
    ///
    /// @throws OutOfMemoryError if there is no memory left
    static MemorySegment collected(long byteSize, long byteAlignment) {
        SlabSource source = new SlabSource(AllocatorFunctions.ofPools());
        long size = Sizes.alignUp(byteSize,
                source.allocator.hasMappings() ? PageMappings.pageByteSize() : byteAlignment);
        Collected collected = new Collected(source, size);
        collected.address = source.allocateOrCollect(size, byteAlignment);
        try {
            return Scopes.collected(collected.address, size, collected);
        } catch (Throwable t) {
            collected.run();
            throw t;
        }
    }

    private long allocateOrCollect(long byteSize, long byteAlignment) {
        boolean wasInterrupted = false;
        try {
            for (long millis = 0;; millis = Math.max(1, 2 * millis)) {
                try {
                    return allocate(byteSize, byteAlignment);
                } catch (OutOfMemoryError e) {
                    if (millis > LONGEST_WAIT_MILLIS) {
                        throw e;
                    }
                    if (millis == 0) {
                        // Only the garbage collector frees the memory of segments that are unreachable.
                        System.gc();
                    }
                    wasInterrupted |= !sleep(millis);
                }
            }
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean sleep(long millis) {
        try {
            Thread.sleep(millis);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    /// Frees memory once. It may be asked twice: a segment whose creation fails may have registered this already.
    private static final class Collected implements Runnable {
        private final SlabSource source;
        private final long byteSize;
        private long address;

        Collected(SlabSource source, long byteSize) {
            this.source = source;
            this.byteSize = byteSize;
        }

        @Override
        public synchronized void run() {
            if (address != 0) {
                long freed = address;
                address = 0;
                source.free(freed, byteSize);
            }
        }
    }

    /// Allocates memory. It is not zeroed, and no page of it is touched.
    ///
    /// @throws CapacityExceededException if the pool is full
    /// @throws OutOfMemoryError          if there is no memory left
    long allocate(long byteSize, long byteAlignment) {
        reserve(byteSize);
        try {
            return allocator.hasMappings()
                    ? allocator.map(byteSize, byteAlignment)
                    : allocator.allocateBlock(byteSize, byteAlignment, false);
        } catch (Throwable t) {
            release(byteSize);
            throw t;
        }
    }

    /// Frees memory that was allocated by this source.
    void free(long address, long byteSize) {
        if (allocator.hasMappings()) {
            PageMappings.unmap(address, byteSize);
        } else {
            allocator.freeBlock(address, byteSize);
        }
        // Last: another thread may allocate as much at once, and memory that an Error has lost remains counted.
        release(byteSize);
    }

    /// Counts memory that is about to be allocated otherwise.
    void reserve(long byteSize) {
        if (pool != null) {
            pool.store.reserve(byteSize);
        }
    }

    /// Undoes [#reserve].
    void release(long byteSize) {
        if (pool != null) {
            pool.store.unreserve(byteSize);
        }
    }

    /// Ends the use of the pool. All memory has been freed.
    public void close() {
        if (pool != null && hold != null) {
            pool.release(hold);
        }
    }
}
