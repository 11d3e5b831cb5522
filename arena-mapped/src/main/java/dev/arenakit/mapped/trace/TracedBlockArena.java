package dev.arenakit.mapped.trace;

import dev.arenakit.BlockAllocator;
import dev.arenakit.internal.scope.ScopeKinds;
import dev.arenakit.mapped.internal.trace.TraceWriter;
import dev.arenakit.mapped.internal.trace.TracedBlocks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// An arena whose blocks can be freed and resized, and whose calls are recorded: see
/// [TraceRecorder#wrapBlocks(java.lang.foreign.Arena)]. It has the lifetime, the threads and the promises of its arena.
public final class TracedBlockArena implements Arena, BlockAllocator {
    private final Arena arena;
    private final TracedBlocks blocks;

    TracedBlockArena(Arena arena, BlockAllocator blocks, TraceWriter writer) {
        this.arena = arena;
        this.blocks = new TracedBlocks(blocks, writer, !ScopeKinds.isConfined(arena.scope()));
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        return blocks.allocate(byteSize, byteAlignment);
    }

    @Override
    public void free(MemorySegment segment) {
        blocks.free(segment);
    }

    @Override
    public MemorySegment reallocate(MemorySegment segment, long newByteSize) {
        return blocks.reallocate(segment, newByteSize);
    }

    @Override
    public MemorySegment.Scope scope() {
        return arena.scope();
    }

    @Override
    public void close() {
        arena.close();
        blocks.closed();
    }
}
