package dev.arenakit.internal.collection;

import dev.arenakit.MallocArena;
import dev.arenakit.internal.PageMappings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Huge pages for the large tables in a [MallocArena], whichever native allocator it uses, so that an access in random
/// order rarely misses the processor's table of addresses. Large blocks of such an arena consist of whole native pages,
/// and the advice remains after a block has been freed, until its pages are unmapped. The memory of other allocators is
/// not advised.
final class HugePages {
    /// The smallest table that contains a whole huge page, whatever its address is.
    private static final long LEAST = 2 * PageMappings.HUGE_PAGE;

    private HugePages() {}

    /// Returns the alignment for a table that is never resized. A table that gets huge pages is aligned to them, so
    /// that only its end has small pages.
    static long alignment(SegmentAllocator allocator, long byteSize, long byteAlignment) {
        return isSupported(allocator, byteSize) ? Math.max(byteAlignment, PageMappings.HUGE_PAGE) : byteAlignment;
    }

    /// Advises the system to use huge pages for the first bytes of a table. The first access to a huge page takes 2 MiB
    /// of memory. Therefore the structure must use most of these bytes, wherever its first entries are.
    static void advise(SegmentAllocator allocator, MemorySegment table, long usedByteSize) {
        if (isSupported(allocator, usedByteSize)) {
            PageMappings.adviseHuge(table.address(), usedByteSize);
        }
    }

    private static boolean isSupported(SegmentAllocator allocator, long byteSize) {
        return byteSize >= LEAST && allocator instanceof MallocArena && PageMappings.isSupported();
    }
}
