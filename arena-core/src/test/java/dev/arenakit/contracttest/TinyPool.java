package dev.arenakit.contracttest;

import dev.arenakit.internal.NativeCalls;
import dev.arenakit.internal.Sizes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;

/// What a [TinyArena] takes its memory from: a few large slabs, lent one to an arena, the last given back first.
class TinyPool {
    /// What one arena may allocate under the contract.
    static final long SLAB = 64 << 20;
    private static final int SLABS = 8;
    private static final long ALIGNMENT = 2 << 20;

    /// Address space for all pools of the process, one after the other; only what is written takes memory.
    private static final long MEMORY = Sizes.alignUp(malloc(SLABS * SLAB + ALIGNMENT), ALIGNMENT);

    final Thread owner = Thread.currentThread();
    final AtomicLong held = new AtomicLong();
    private final Deque<Long> free = new ArrayDeque<>();

    TinyPool() {
        giveAll();
    }

    synchronized long take() {
        return free.pop();
    }

    /// The slab that [#take] would lend.
    synchronized long peek() {
        return free.element();
    }

    synchronized void remove(long slab) {
        free.remove(slab);
    }

    synchronized void give(long slab) {
        free.push(slab);
    }

    synchronized void giveAll() {
        free.clear();
        for (int i = 0; i < SLABS; i++) {
            free.add(MEMORY + i * SLAB);
        }
    }

    private static long malloc(long byteSize) {
        return NativeCalls.call(NativeCalls.libc().findOrThrow("malloc").address(), byteSize, false);
    }
}
