package dev.arenakit.mapped.internal.trace;

import dev.arenakit.internal.scope.ScopeKinds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/// An arena whose allocations are recorded.
public final class TracedArena implements Arena {
    private final Arena arena;
    private final TraceWriter writer;
    private final long number;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    public TracedArena(Arena arena, TraceWriter writer) {
        this.arena = arena;
        this.writer = writer;
        number = writer.opened(!ScopeKinds.isConfined(arena.scope()));
    }

    /// The number of the arena in the trace.
    public long number() {
        return number;
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
        boolean hasReturned = false;
        try {
            arena.close();
            hasReturned = true;
        } finally {
            // A cleanup may have thrown after the end of the scope.
            if ((hasReturned || !arena.scope().isAlive()) && !isClosed.getAndSet(true)) {
                writer.closed(number);
            }
        }
    }
}
