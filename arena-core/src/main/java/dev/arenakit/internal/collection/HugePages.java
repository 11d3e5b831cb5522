package dev.arenakit.internal.collection;

import dev.arenakit.internal.PageMappings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Huge pages for the large tables of some allocators, so that an access in random order rarely misses the processor's
/// table of addresses. The memory of other allocators is not advised.
///
/// @param allocators the class of the allocators. Their large blocks consist of whole native pages, and the advice
///                   remains after a block has been freed, until its pages are unmapped
public record HugePages(Class<?> allocators) {
    /// The smallest table that contains a whole huge page, whatever its address is.
    private static final long LEAST = 2 * PageMappings.HUGE_PAGE;

    /// Returns the alignment for a table that is never resized. A table that gets huge pages is aligned to them, so
    /// that only its end has small pages.
    long alignment(SegmentAllocator allocator, long byteSize, long byteAlignment) {
        return isSupported(allocator, byteSize) ? Math.max(byteAlignment, PageMappings.HUGE_PAGE) : byteAlignment;
    }

    /// Advises the system to use huge pages for the first bytes of a table. The first access to a huge page takes 2 MiB
    /// of memory. Therefore the structure must use most of these bytes, wherever its first entries are.
    void advise(SegmentAllocator allocator, MemorySegment table, long usedByteSize) {
        if (isSupported(allocator, usedByteSize)) {
            PageMappings.adviseHuge(table.address(), usedByteSize);
        }
    }

    private boolean isSupported(SegmentAllocator allocator, long byteSize) {
        return byteSize >= LEAST && allocators.isInstance(allocator) && PageMappings.isSupported();
    }
}
