package dev.arenakit.internal.pool;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.Sizes;
import org.jspecify.annotations.Nullable;

/// The native memory of the slabs of one pool: cut from mappings where the allocator has them, and otherwise a block of
/// the allocator for each slab.
///
/// Not thread-safe: the caller holds the pool's lock.
final class SlabMemory {
    /*
     * A region is a mapping of 1 to 4 MiB. Regions are larger in a pool with more slabs, so that a small pool takes
     * little address space, and a large pool takes few mappings. A new slab has the lowest free address of a region
     * that is not full. discardFreed() returns the memory of freed slabs to the system, and a mapping ends with its
     * last slab.
     *
     * Released slabs, new mappings and discarded pages are zeroed. Slabs smaller than a page share a page, and its
     * memory returns to the system only with the mapping.
     */
    private static final long SMALLEST_REGION = 1L << 20;
    private static final long LARGEST_REGION = 4L << 20;

    /// A cache line, so that no two slabs share one.
    private static final long SLAB_ALIGNMENT = 64;

    private final AllocatorFunctions allocator;
    private final long slabByteSize;
    private final boolean zeroed;
    /// The first region that is not full.
    private @Nullable SlabRegion available;
    private long mappedByteSize;

    SlabMemory(AllocatorFunctions allocator, long slabByteSize, boolean zeroed) {
        this.allocator = allocator;
        this.slabByteSize = slabByteSize;
        this.zeroed = zeroed;
    }

    /// Allocates a slab. If this method throws, nothing has been allocated.
    Slab allocate(SlabCache cache) {
        return allocator.hasMappings() ? cut(cache) : allocateBlock(cache);
    }

    /// Frees a slab. Its memory may stay with this process until [#discardFreed].
    void free(Slab slab) {
        if (slab.region == null) {
            allocator.freeBlock(slab.address, AllocatorFunctions.nativeByteSize(slabByteSize, SLAB_ALIGNMENT));
        } else {
            putBack(slab.region, slab.address);
        }
    }

    private Slab allocateBlock(SlabCache cache) {
        long address = allocator.allocateBlock(slabByteSize, SLAB_ALIGNMENT, zeroed);
        try {
            return new Slab(cache, address, slabByteSize, null, zeroed);
        } catch (Throwable t) {
            allocator.freeBlock(address, AllocatorFunctions.nativeByteSize(slabByteSize, SLAB_ALIGNMENT));
            throw t;
        }
    }

    private Slab cut(SlabCache cache) {
        SlabRegion region = available == null ? map() : available;
        long address = region.take();
        if (region.isFull()) {
            unlink(region);
        }
        try {
            return new Slab(cache, address, slabByteSize, region, zeroed);
        } catch (Throwable t) {
            putBack(region, address);
            throw t;
        }
    }

    private void putBack(SlabRegion region, long address) {
        boolean wasFull = region.isFull();
        region.putBack(address);
        if (wasFull) {
            link(region);
        }
        if (region.isEmpty()) {
            unlink(region);
            mappedByteSize -= region.byteSize;
            PageMappings.unmap(region.address, region.byteSize);
        }
    }

    /// Returns the memory of all freed slabs to the system.
    void discardFreed() {
        // Each region with a freed slab is available. Slabs smaller than a page share a page with other slabs.
        if (available != null && slabByteSize >= PageMappings.pageByteSize()) {
            for (SlabRegion region = available; region != null; region = region.next) {
                region.discard();
            }
        }
    }

    private SlabRegion map() {
        long byteSize = Math.max(slabByteSize,
                Math.clamp(Long.highestOneBit(mappedByteSize), SMALLEST_REGION, LARGEST_REGION));
        long address = allocator.map(Sizes.alignUp(byteSize, PageMappings.pageByteSize()), 1);
        try {
            SlabRegion region = new SlabRegion(address, byteSize, slabByteSize);
            mappedByteSize += byteSize;
            link(region);
            return region;
        } catch (Throwable t) {
            PageMappings.unmap(address, byteSize);
            throw t;
        }
    }

    private void link(SlabRegion region) {
        SlabRegion first = available;
        region.next = first;
        region.previous = null;
        if (first != null) {
            first.previous = region;
        }
        available = region;
    }

    private void unlink(SlabRegion region) {
        SlabRegion previous = region.previous;
        SlabRegion next = region.next;
        if (previous == null) {
            available = next;
        } else {
            previous.next = next;
        }
        if (next != null) {
            next.previous = previous;
        }
        region.previous = null;
        region.next = null;
    }
}
