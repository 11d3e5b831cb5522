package dev.arenakit.collection;

import dev.arenakit.MallocArena;
import dev.arenakit.internal.PageMappings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Huge pages for the large tables in a [MallocArena], so that an access in random order rarely misses the processor's
/// table of addresses. The memory of other allocators is theirs to advise.
final class HugePages {
    /// The smallest table that has one whole huge page wherever it begins.
    private static final long LEAST = 2 * PageMappings.HUGE_PAGE;

    private HugePages() {}

    /// Returns the alignment for a table that is never resized: that of a huge page, so that all of it except its end is
    /// in huge pages.
    static long alignment(SegmentAllocator allocator, long byteSize, long byteAlignment) {
        return isSupported(allocator, byteSize) ? Math.max(byteAlignment, PageMappings.HUGE_PAGE) : byteAlignment;
    }

    /// Advises the system to use huge pages inside a table, which then take no more memory than others: a structure fills
    /// its tables.
    static void advise(SegmentAllocator allocator, MemorySegment table) {
        if (isSupported(allocator, table.byteSize())) {
            try {
                PageMappings.adviseHuge(table.address(), table.byteSize());
            } catch (LinkageError e) {
                // The stack was exhausted while the class of the call was initialized. The table needs no advice.
            }
        }
    }

    private static boolean isSupported(SegmentAllocator allocator, long byteSize) {
        return byteSize >= LEAST && allocator instanceof MallocArena && PageMappings.isSupported();
    }
}
