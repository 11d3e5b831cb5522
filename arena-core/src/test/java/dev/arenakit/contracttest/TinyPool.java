package dev.arenakit.contracttest;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.nativecall.NativeCalls;
import dev.arenakit.internal.nativecall.NativeFunctions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;

/// The pool of [TinyArena]: a few large slabs, one per arena, reused in last-in-first-out order.
class TinyPool {
    /// The memory that one arena may allocate in the contract.
    static final long SLAB = 64 << 20;
    private static final int SLABS = 8;
    private static final long ALIGNMENT = 2 << 20;

    /// The address space of all pools of the process, which use it one after the other. Only pages that are written to
    /// use memory.
    private static final long MEMORY = Sizes.alignUp(malloc(SLABS * SLAB + ALIGNMENT), ALIGNMENT);

    final Thread owner = Thread.currentThread();
    final AtomicLong held = new AtomicLong();
    private final Deque<Long> free = new ArrayDeque<>();

    TinyPool() {
        releaseAll();
    }

    synchronized long acquire() {
        return free.pop();
    }

    /// The slab that [#acquire] would return.
    synchronized long peek() {
        return free.element();
    }

    synchronized void remove(long slab) {
        free.remove(slab);
    }

    synchronized void release(long slab) {
        free.push(slab);
    }

    synchronized void releaseAll() {
        free.clear();
        for (int i = 0; i < SLABS; i++) {
            free.add(MEMORY + i * SLAB);
        }
    }

    private static long malloc(long byteSize) {
        return NativeCalls.call(NativeFunctions.libc().findOrThrow("malloc").address(), byteSize, false);
    }
}
