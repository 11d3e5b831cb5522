package dev.arenakit.internal.freelist;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.FreeListArena;
import dev.arenakit.FreeListStatistics;
import dev.arenakit.internal.malloc.CheckedMallocRegistry;
import dev.arenakit.internal.malloc.GuardedArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// An arena of small blocks, each with a scope of its own. An unchecked arena provides the memory.
public final class CheckedFreeListArena extends GuardedArena implements FreeListArena {
    private final UncheckedFreeListArena unchecked;

    /// @param unchecked the arena of the memory, which is closed with this one, and which ends the watch for leaks
    public CheckedFreeListArena(UncheckedFreeListArena unchecked, boolean shared) {
        this(unchecked, shared, shared ? Arena.ofShared() : Arena.ofConfined());
    }

    private CheckedFreeListArena(UncheckedFreeListArena unchecked, boolean shared, Arena delegate) {
        super(delegate, new CheckedMallocRegistry(unchecked.source(), delegate, shared, false, unchecked::close), null);
        this.unchecked = unchecked;
    }

    @Override
    @SuppressWarnings("NullAway") // A user does not need the annotation's jar.
    public MemorySegment tryAllocate(long byteSize, long byteAlignment) {
        try {
            return allocate(byteSize, byteAlignment);
        } catch (CapacityExceededException | OutOfMemoryError e) {
            return null;
        }
    }

    @Override
    public FreeListStatistics stats() {
        blocks.checkOpen();
        return unchecked.stats();
    }
}
