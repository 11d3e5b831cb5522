package dev.arenakit;

import dev.arenakit.internal.Scopes;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;

/// The blocks of a [SlabBlockArena] that are too large for a size class: blocks of the native allocator.
///
/// Thread-safe.
final class SlabLargeBlocks {
    private final SlabSource source;
    private final MemorySegment view;
    private final Blocks blocks = new Blocks();
    private long count;
    private long byteSize;

    SlabLargeBlocks(SlabSource source, MemorySegment view) {
        this.source = source;
        this.view = view;
    }

    MemorySegment allocate(int calls, long byteSize, long byteAlignment, boolean zeroed) {
        if (calls > 0) {
            return allocate(calls - 1, byteSize, byteAlignment, zeroed);
        }
        Sizes.checkAddressable(byteSize, byteAlignment);
        synchronized (this) {
            // Under the lock, as the blocks may have been freed since the last check.
            Scopes.checkOpen(view);
            source.reserve(byteSize);
            try {
                MemorySegment segment = blocks.allocate(source.allocator, view, byteSize, byteAlignment, zeroed);
                count++;
                this.byteSize += byteSize;
                return segment;
            } catch (Throwable t) {
                source.release(byteSize);
                throw t;
            }
        }
    }

    void free(int calls, MemorySegment segment) {
        if (calls > 0) {
            free(calls - 1, segment);
            return;
        }
        synchronized (this) {
            Scopes.checkOpen(view);
            blocks.free(source.allocator, view, segment);
            count--;
            byteSize -= segment.byteSize();
            source.release(segment.byteSize());
        }
    }

    synchronized MemorySegment reallocate(MemorySegment segment, long newByteSize) {
        Scopes.checkOpen(view);
        Sizes.checkAddressable(newByteSize, 1);
        source.reserve(newByteSize);
        try {
            MemorySegment moved = blocks.reallocate(source.allocator, view, segment, newByteSize);
            byteSize += newByteSize - segment.byteSize();
            source.release(segment.byteSize());
            return moved;
        } catch (Throwable t) {
            source.release(newByteSize);
            throw t;
        }
    }

    /// The alignment of a live block.
    synchronized long byteAlignment(MemorySegment segment) {
        Scopes.checkOpen(view);
        return blocks.byteAlignment(source.allocator, view, segment);
    }

    synchronized SlabAllocatorStatistics addTo(SlabAllocatorStatistics statistics) {
        return statistics.plus(count, byteSize);
    }

    /// Frees all blocks. The scope has ended.
    synchronized void freeAll() {
        source.release(byteSize);
        byteSize = 0;
        blocks.freeAll(source.allocator);
    }
}
