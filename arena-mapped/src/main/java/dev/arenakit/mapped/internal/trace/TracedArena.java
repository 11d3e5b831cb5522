package dev.arenakit.mapped.internal.trace;

import dev.arenakit.internal.scope.ScopeKinds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// An arena whose allocations are recorded.
public final class TracedArena implements Arena {
    private final Arena arena;
    private final TraceWriter writer;
    private final long number;

    public TracedArena(Arena arena, TraceWriter writer) {
        this.arena = arena;
        this.writer = writer;
        number = writer.opened(!ScopeKinds.isConfined(arena.scope()));
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        MemorySegment memory = arena.allocate(byteSize, byteAlignment);
        writer.allocated(number, byteSize, byteAlignment);
        return memory;
    }

    @Override
    public MemorySegment.Scope scope() {
        return arena.scope();
    }

    @Override
    public void close() {
        arena.close();
        writer.closed(number);
    }
}
