package dev.arenakit.collection;

import dev.arenakit.MallocArena;
import dev.arenakit.internal.collection.HugePages;
import dev.arenakit.internal.collection.TableMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import java.util.function.Supplier;

/// Creates the memory of the collections in this package. The large tables in a [MallocArena] have huge pages,
/// whichever native allocator the arena uses.
final class CollectionMemory {
    private static final HugePages HUGE_PAGES = new HugePages(MallocArena.class);

    private CollectionMemory() {}

    /// Returns memory from an allocator.
    static TableMemory of(SegmentAllocator allocator) {
        return TableMemory.of(allocator, HUGE_PAGES);
    }

    /// Returns memory that has an arena for each table.
    static TableMemory owning(Supplier<? extends Arena> arenas) {
        return TableMemory.owning(arenas, HUGE_PAGES);
    }
}
