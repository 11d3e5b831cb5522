package dev.arenakit.mapped.internal.trace;

import dev.arenakit.internal.scope.ScopeKinds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/// An arena whose allocations are recorded.
///
/// @param number   the number of the arena in the trace
/// @param isClosed whether the trace has the close of the arena
public record TracedArena(Arena arena, TraceWriter writer, long number, AtomicBoolean isClosed) implements Arena {
    public TracedArena(Arena arena, TraceWriter writer) {
        this(arena, writer, writer.opened(!ScopeKinds.isConfined(arena.scope())), new AtomicBoolean());
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
