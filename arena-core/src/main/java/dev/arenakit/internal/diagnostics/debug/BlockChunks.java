package dev.arenakit.internal.diagnostics.debug;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.Sizes;
import java.util.ArrayList;
import java.util.List;

/// The memory of the blocks of a debug arena that have no guards: chunks, from which blocks are cut one after another.
/// A write that misses a block hits other blocks or a margin, and no data of malloc.
///
/// Not thread-safe: the caller holds the lock of the arena.
final class BlockChunks {
    private static final long SMALLEST_CHUNK = 64 << 10;
    /// Chunks become larger, so that an arena with many blocks takes few of them.
    private static final long LARGEST_CHUNK = 16 << 20;
    /// The memory at both ends of a chunk in which there is no block.
    private static final long MARGIN = 4096;

    private final boolean zeroed;
    private final List<Chunk> chunks = new ArrayList<>();
    private long next;
    private long limit;
    private long chunkByteSize = SMALLEST_CHUNK;

    private record Chunk(long address, long byteSize) {}

    /// @param zeroed whether the memory is zeroed
    BlockChunks(boolean zeroed) {
        this.zeroed = zeroed;
    }

    /// Returns the address of new memory.
    ///
    /// @throws OutOfMemoryError if there is no memory left
    long cut(long byteSize) {
        if (byteSize > limit - next) {
            add(Math.max(chunkByteSize, Sizes.alignUp(byteSize + 2 * MARGIN, MARGIN)));
        }
        long address = next;
        next += byteSize;
        return address;
    }

    private void add(long byteSize) {
        long address = functions().allocateBlock(byteSize, AllocatorFunctions.MALLOC_ALIGNMENT, zeroed);
        try {
            chunks.add(new Chunk(address, byteSize));
        } catch (Throwable t) {
            functions().freeBlock(address, byteSize, AllocatorFunctions.MALLOC_ALIGNMENT);
            throw t;
        }
        next = address + MARGIN;
        limit = address + byteSize - MARGIN;
        chunkByteSize = Math.min(2 * chunkByteSize, LARGEST_CHUNK);
    }

    /// Frees all memory.
    void release() {
        chunks.forEach(chunk -> functions().freeBlock(chunk.address, chunk.byteSize,
                AllocatorFunctions.MALLOC_ALIGNMENT));
        chunks.clear();
    }

    private static AllocatorFunctions functions() {
        return AllocatorFunctions.ofPools();
    }
}
