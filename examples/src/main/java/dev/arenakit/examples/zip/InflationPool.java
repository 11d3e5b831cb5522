package dev.arenakit.examples.zip;

import dev.arenakit.MallocArena;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Idle inflations, at most one for each processor.
final class InflationPool {
    private static final int CAPACITY = Runtime.getRuntime().availableProcessors();

    private final MallocArena arena;
    private final ArrayDeque<Inflation> idle = new ArrayDeque<>(1);
    private boolean closed;

    InflationPool(MallocArena arena) {
        this.arena = arena;
    }

    Inflation acquire() {
        Inflation inflation = poll();
        return inflation != null ? inflation : new Inflation(arena);
    }

    private synchronized @Nullable Inflation poll() {
        return idle.pollFirst();
    }

    void release(Inflation inflation) {
        if (!offer(inflation)) {
            inflation.end();
        }
    }

    private synchronized boolean offer(Inflation inflation) {
        if (closed || idle.size() == CAPACITY) {
            return false;
        }
        inflation.reset();
        idle.addFirst(inflation);
        return true;
    }

    /// Ends the idle inflations, and later all released inflations. The arena frees their buffers.
    synchronized void close() {
        closed = true;
        idle.forEach(Inflation::end);
        idle.clear();
    }
}
