package dev.arenakit.collection;

import dev.arenakit.MallocArena;
import dev.arenakit.internal.PageMappings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Huge pages for the large tables in a [MallocArena], so that an access in random order rarely misses the processor's
/// table of addresses. This applies to all native allocators of such an arena, and the advice remains after the block
/// has been freed, until its pages are unmapped. The memory of other arenas and allocators is not advised here.
final class HugePages {
    /// The smallest table that has one whole huge page wherever it begins.
    private static final long LEAST = 2 * PageMappings.HUGE_PAGE;

    private HugePages() {}

    /// Returns the alignment for a table that is never resized: that of a huge page, so that all of it except its end
    /// is in huge pages.
    static long alignment(SegmentAllocator allocator, long byteSize, long byteAlignment) {
        return isSupported(allocator, byteSize) ? Math.max(byteAlignment, PageMappings.HUGE_PAGE) : byteAlignment;
    }

    /// Advises the system to use huge pages inside the first bytes of a table. The first access of a huge page takes 2
    /// MiB of memory: so the structure must use most of these bytes, wherever its first entries are.
    static void advise(SegmentAllocator allocator, MemorySegment table, long usedByteSize) {
        if (isSupported(allocator, usedByteSize)) {
            PageMappings.adviseHuge(table.address(), usedByteSize);
        }
    }

    private static boolean isSupported(SegmentAllocator allocator, long byteSize) {
        return byteSize >= LEAST && allocator instanceof MallocArena && PageMappings.isSupported();
    }
}
