package dev.arenakit.mapped.trace;

import dev.arenakit.BlockAllocator;
import dev.arenakit.mapped.internal.trace.TraceWriter;
import dev.arenakit.mapped.internal.trace.TracedArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// An arena whose blocks can be freed and resized, and whose calls are recorded: see
/// [TraceRecorder#wrapBlocks(java.lang.foreign.Arena)]. It has the lifetime, the threads and the promises of its arena.
public final class TracedBlockArena implements Arena, BlockAllocator {
    private final TracedArena arena;
    private final BlockAllocator blocks;
    private final TraceWriter writer;

    /// @param arena the arena of the blocks; the global arena if they have none
    TracedBlockArena(Arena arena, BlockAllocator blocks, TraceWriter writer) {
        this.arena = new TracedArena(arena, writer);
        this.blocks = blocks;
        this.writer = writer;
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        MemorySegment block = blocks.allocate(byteSize, byteAlignment);
        writer.allocatedBlock(arena.number(), block, byteAlignment);
        return block;
    }

    @Override
    public void free(MemorySegment segment) {
        long address = segment.address();
        blocks.free(segment);
        writer.freed(arena.number(), address);
    }

    @Override
    public MemorySegment reallocate(MemorySegment segment, long newByteSize) {
        long address = segment.address();
        MemorySegment block = blocks.reallocate(segment, newByteSize);
        writer.resized(arena.number(), address, block);
        return block;
    }

    @Override
    public MemorySegment.Scope scope() {
        return arena.scope();
    }

    @Override
    public void close() {
        arena.close();
    }
}
