package dev.arenakit.internal.freelist;

import dev.arenakit.FreeListStatistics;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.malloc.MallocHeader;
import dev.arenakit.internal.malloc.MallocRegistry;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The blocks of a `FreeListArena` that are too large for a size class. The native allocator provides them.
///
/// Thread-safe.
public final class LargeBlocks {
    private final RangeProvider source;
    private final MemorySegment view;
    private final MallocRegistry blocks = new MallocRegistry();
    private long count;
    private long byteSize;
    /// The size that the source counts for all blocks, including alignments and whole pages.
    private long takenByteSize;

    public LargeBlocks(RangeProvider source, MemorySegment view) {
        this.source = source;
        this.view = view;
    }

    public MemorySegment allocate(int calls, long byteSize, long byteAlignment, boolean zeroed) {
        if (calls > 0) {
            return allocate(calls - 1, byteSize, byteAlignment, zeroed);
        }
        MemorySegment segment = tryAllocate(byteSize, byteAlignment, zeroed);
        if (segment == null) {
            throw source.limitExceeded(MallocHeader.takenByteSize(source.allocator, byteSize, byteAlignment));
        }
        return segment;
    }

    /// Allocates a block, or returns null if the pool is full or the budget is exceeded, which counts no refusal.
    public @Nullable MemorySegment tryAllocate(long byteSize, long byteAlignment, boolean zeroed) {
        Sizes.checkAddressable(byteSize, byteAlignment);
        synchronized (this) {
            // Under the lock, as the blocks may have been freed since the last check.
            Scopes.checkOpen(view);
            long taken = MallocHeader.takenByteSize(source.allocator, byteSize, byteAlignment);
            if (!source.tryReserve(taken)) {
                return null;
            }
            try {
                // A checked arena frees a block when its scope has ended: it is too late then to fail.
                MemorySegment segment = blocks.allocateIndexed(source.allocator, view, byteSize, byteAlignment,
                        zeroed);
                count++;
                this.byteSize += byteSize;
                takenByteSize += taken;
                return segment;
            } catch (RuntimeException | OutOfMemoryError e) {
                source.release(taken);
                throw e;
            }
        }
    }

    /// Frees a block, for which no memory is needed.
    ///
    /// @return false if there is no such block
    public boolean free(int calls, long address, long byteSize) {
        if (calls > 0) {
            return free(calls - 1, address, byteSize);
        }
        synchronized (this) {
            Scopes.checkOpen(view);
            long byteAlignment = blocks.byteAlignment(source.allocator, address, byteSize);
            if (byteAlignment == 0 || !blocks.free(source.allocator, address, byteSize)) {
                return false;
            }
            long taken = MallocHeader.takenByteSize(source.allocator, byteSize, byteAlignment);
            count--;
            this.byteSize -= byteSize;
            takenByteSize -= taken;
            source.release(taken);
            return true;
        }
    }

    /// Makes a block smaller where it is, if it is a mapping of its own, and remains one.
    ///
    /// @param newByteSize at most `byteSize`
    /// @return false if the block must move, or if there is no such block
    public boolean shrink(long address, long byteSize, long newByteSize) {
        synchronized (this) {
            Scopes.checkOpen(view);
            long byteAlignment = blocks.byteAlignment(source.allocator, address, byteSize);
            if (byteAlignment == 0 || !blocks.shrink(source.allocator, address, byteSize, newByteSize)) {
                return false;
            }
            long released = MallocHeader.takenByteSize(source.allocator, byteSize, byteAlignment)
                    - MallocHeader.takenByteSize(source.allocator, newByteSize, byteAlignment);
            this.byteSize += newByteSize - byteSize;
            takenByteSize -= released;
            source.release(released);
            return true;
        }
    }

    /// The alignment of a live block.
    public synchronized long byteAlignment(MemorySegment segment) {
        Scopes.checkOpen(view);
        long byteAlignment = blocks.byteAlignment(source.allocator, segment.address(), segment.byteSize());
        if (byteAlignment == 0) {
            throw MallocRegistry.notALiveBlock(segment);
        }
        return byteAlignment;
    }

    /// The segment of the block at an address.
    public synchronized MemorySegment blockAt(long address) {
        Scopes.checkOpen(view);
        return blocks.blockAt(source.allocator, view, address);
    }

    /// Adds these blocks, and the name of the arena, to the statistics of its slabs.
    public synchronized FreeListStatistics addTo(FreeListStatistics statistics) {
        return new FreeListStatistics(source.allocator.user(), statistics.liveBlocks() + count,
                statistics.liveByteSize() + byteSize,
                statistics.usedByteSize() + byteSize, statistics.heldByteSize() + byteSize, statistics.sizeClasses());
    }

    /// Frees all blocks. The scope has ended.
    public synchronized void freeAll() {
        long taken = takenByteSize;
        takenByteSize = 0;
        byteSize = 0;
        blocks.freeAll(source.allocator);
        source.release(taken);
    }
}
