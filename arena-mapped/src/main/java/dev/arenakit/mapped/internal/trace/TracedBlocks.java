package dev.arenakit.mapped.internal.trace;

import dev.arenakit.BlockAllocator;
import java.lang.foreign.MemorySegment;

/// An allocator of blocks whose calls are recorded.
public final class TracedBlocks implements BlockAllocator {
    private final BlockAllocator blocks;
    private final TraceWriter writer;
    private final long number;

    public TracedBlocks(BlockAllocator blocks, TraceWriter writer, boolean isShared) {
        this.blocks = blocks;
        this.writer = writer;
        number = writer.opened(isShared);
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        MemorySegment block = blocks.allocate(byteSize, byteAlignment);
        writer.allocatedBlock(number, block, byteAlignment);
        return block;
    }

    @Override
    public void free(MemorySegment segment) {
        long address = segment.address();
        blocks.free(segment);
        writer.freed(number, address);
    }

    @Override
    public MemorySegment reallocate(MemorySegment segment, long newByteSize) {
        long address = segment.address();
        MemorySegment block = blocks.reallocate(segment, newByteSize);
        writer.resized(number, address, block);
        return block;
    }

    /// Records that the arena of the blocks is closed.
    public void closed() {
        writer.closed(number);
    }
}
