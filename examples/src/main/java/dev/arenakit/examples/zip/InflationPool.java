package dev.arenakit.examples.zip;

import dev.arenakit.MallocArena;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Idle inflations, at most one for each processor.
final class InflationPool {
    private static final int CAPACITY = Runtime.getRuntime().availableProcessors();

    private final MallocArena arena;
    /// Null before the first entry has been read.
    private @Nullable ArrayDeque<Inflation> idle;
    private boolean closed;

    InflationPool(MallocArena arena) {
        this.arena = arena;
    }

    Inflation acquire() {
        Inflation inflation = poll();
        return inflation != null ? inflation : new Inflation(arena);
    }

    private synchronized @Nullable Inflation poll() {
        return idle == null ? null : idle.pollFirst();
    }

    void release(Inflation inflation) {
        if (!offer(inflation)) {
            inflation.end();
        }
    }

    private synchronized boolean offer(Inflation inflation) {
        if (closed) {
            return false;
        }
        if (idle == null) {
            idle = new ArrayDeque<>(1);
        } else if (idle.size() == CAPACITY) {
            return false;
        }
        inflation.reset();
        idle.addFirst(inflation);
        return true;
    }

    /// Ends the idle inflations, and later all released inflations. The arena frees their buffers.
    void close() {
        ArrayDeque<Inflation> last;
        synchronized (this) {
            last = idle;
            idle = null;
            closed = true;
        }
        if (last != null) {
            last.forEach(Inflation::end);
        }
    }
}
