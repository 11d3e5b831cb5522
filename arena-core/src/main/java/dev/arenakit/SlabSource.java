package dev.arenakit;

import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.Scopes;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The source of an arena of blocks: a native allocator, or a pool, whose limit then counts what is allocated.
final class SlabSource {
    final NativeAllocator allocator;
    private final @Nullable SlabCache pool;
    /// What makes the pool count this source as an open arena, or null.
    private final @Nullable Slab hold;

    /// @param pool the pool, or null
    SlabSource(NativeAllocator allocator, @Nullable SlabCache pool) {
        this.allocator = allocator;
        this.pool = pool;
        hold = pool == null ? null : pool.acquireSharedPrimary();
    }

    /// Allocates memory that is freed when the segment is unreachable. It is not zeroed, and no page of it is touched.
    ///
    /// @throws OutOfMemoryError if there is no memory left
    static MemorySegment collected(long byteSize, long byteAlignment) {
        SlabSource source = new SlabSource(NativeAllocator.ofPools(), null);
        long size = Sizes.alignUp(byteSize,
                source.allocator.hasMappings() ? PageMappings.pageByteSize() : byteAlignment);
        long address = source.allocate(size, byteAlignment);
        try {
            return Scopes.collected(address, size, () -> source.free(address, size));
        } catch (Throwable t) {
            source.free(address, size);
            throw t;
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
        release(byteSize);
        if (allocator.hasMappings()) {
            PageMappings.unmap(address, byteSize);
        } else {
            allocator.freeBlock(address, byteSize);
        }
    }

    /// Counts memory that is about to be allocated otherwise.
    void reserve(long byteSize) {
        if (pool != null) {
            pool.reserve(byteSize);
        }
    }

    /// Undoes [#reserve].
    void release(long byteSize) {
        if (pool != null) {
            pool.unreserve(byteSize);
        }
    }

    /// Ends the use of the pool. All memory has been freed.
    void close() {
        if (pool != null && hold != null) {
            pool.release(hold);
        }
    }
}
