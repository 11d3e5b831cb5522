package dev.arenakit.internal.pool.memory;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.Sizes;
import java.util.ArrayList;
import java.util.List;

/// The native memory of the slabs of one pool: cut from mappings where the allocator has them, and otherwise a block of
/// the allocator for each slab.
///
/// Not thread-safe: the caller holds the pool's lock.
public final class SlabMemory {
    /*
     * A region is a mapping of 1 to 4 MiB. Regions are larger in a pool with more slabs, so that a small pool takes
     * little address space, and a large pool takes few mappings. A new slab has the lowest free address of the first
     * region that is not full. discardFreed() returns the memory of freed slabs to the system, and a mapping ends with
     * its last slab.
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
    private final List<SlabRegion> regions = new ArrayList<>();
    /// All regions before this one are full.
    private int available;
    private long mappedByteSize;

    public SlabMemory(AllocatorFunctions allocator, long slabByteSize, boolean zeroed) {
        this.allocator = allocator;
        this.slabByteSize = slabByteSize;
        this.zeroed = zeroed;
    }

    /// Allocates a slab. If this method throws, nothing has been allocated.
    public Slab allocate(SlabHome home) {
        return allocator.hasMappings() ? cut(home) : allocateBlock(home);
    }

    /// Frees a slab. Its memory may stay with this process until [#discardFreed].
    public void free(Slab slab) {
        if (slab.region == null) {
            allocator.freeBlock(slab.address, slabByteSize, SLAB_ALIGNMENT);
        } else {
            putBack(slab.region, slab.address);
        }
    }

    private void putBack(SlabRegion region, long address) {
        available = 0;
        region.putBack(address);
        if (region.isEmpty()) {
            // Unlink the region before its memory is released.
            regions.remove(region);
            mappedByteSize -= region.byteSize;
            PageMappings.release(region.address, region.byteSize);
        }
    }

    private Slab allocateBlock(SlabHome home) {
        long address = allocator.allocateBlock(slabByteSize, SLAB_ALIGNMENT, zeroed);
        try {
            return new Slab(home, address, slabByteSize, null, zeroed);
        } catch (Throwable t) {
            allocator.freeBlock(address, slabByteSize, SLAB_ALIGNMENT);
            throw t;
        }
    }

    private Slab cut(SlabHome home) {
        while (available < regions.size() && regions.get(available).isFull()) {
            available++;
        }
        SlabRegion region = available == regions.size() ? map() : regions.get(available);
        long address = region.take();
        try {
            return new Slab(home, address, slabByteSize, region, zeroed);
        } catch (Throwable t) {
            putBack(region, address);
            throw t;
        }
    }

    /// Returns the memory of all freed slabs to the system.
    public void discardFreed() {
        // Slabs smaller than a page share a page with other slabs.
        if (!regions.isEmpty() && slabByteSize >= PageMappings.pageByteSize()) {
            for (SlabRegion region : regions) {
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
            regions.add(region);
            mappedByteSize += byteSize;
            return region;
        } catch (Throwable t) {
            PageMappings.release(address, byteSize);
            throw t;
        }
    }
}
