package dev.arenakit.bench.replay;

import dev.arenakit.mapped.trace.TraceEvent;
import dev.arenakit.mapped.trace.TraceEvent.Kind;

/// A call of a recorded thread.
final class Step {
    static final long[] NONE = {};

    final Kind kind;
    /// The arena, counted from 0 in the order of opening.
    final int arena;
    /// The block, counted from 0 in the order of allocation; -1 if the step has none.
    final int block;
    final long byteSize;
    final long byteAlignment;
    final long nanos;
    /// The number of arenas that had been closed before.
    final int closes;
    /// The steps of other threads that come first: the thread in the upper half, and the number of its steps up to then.
    long[] waits = NONE;
    /// Whether a step of another thread waits for this one.
    boolean isAwaited;

    Step(TraceEvent event, int arena, int closes) {
        this(event.kind(), arena, Math.toIntExact(event.block()), event.byteSize(), event.byteAlignment(),
                event.nanos(),
                closes);
    }

    private Step(Kind kind, int arena, int block, long byteSize, long byteAlignment, long nanos, int closes) {
        this.kind = kind;
        this.arena = arena;
        this.block = block;
        this.byteSize = byteSize;
        this.byteAlignment = byteAlignment;
        this.nanos = nanos;
        this.closes = closes;
    }

    /// Makes the step that closes an arena at the end of its thread.
    static Step close(int arena, long nanos) {
        return new Step(Kind.CLOSE, arena, -1, 0, 1, nanos, 0);
    }
}
