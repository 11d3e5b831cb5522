package dev.arenakit.internal.pool.stock;

import dev.arenakit.internal.pool.memory.Slab;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The idle slabs of a pool that no thread owns. Any thread may acquire and release them, without a lock.
public final class SharedSlabCache {
    /*
     * Each slab has a slot of its own and returns to it, so that no other thread ever sets its flag, and releasing a
     * slab is one release store (about 1 ns). Acquiring a slab is one atomic exchange of the flag (about 5 ns). A
     * thread first tries the slot where it last found a slab, and then the other slots in order: two threads that
     * collide at a slot use different slots the next time, and each thread finds a slab that its own processor used
     * last. If each thread started at a slot derived from its id, threads that collide once would collide again. The
     * flags are numbers, because an exchange of references would also pay for the barriers of the garbage collector.
     * Slabs beyond the number of slots form a stack with a lock. The stack is linked through the slabs themselves, so
     * that releasing a slab cannot fail for lack of heap memory.
     *
     * There are 8 slots per processor, so that threads seldom wait for each other. A thread tries only a few of them
     * before it tries the stack: beside thousands of open arenas, all slots may be empty. It tries the other slots only
     * before a slab is allocated.
     */
    private static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class).withInvokeExactBehavior();
    public static final int NO_LIMIT = Integer.MAX_VALUE;

    private static final int IDLE = 1;
    private static final int EMPTY = 0;
    /// The number of threads with consecutive ids that have a hint of their own.
    private static final int HINTS = 256;
    /// The number of slots that a thread tries before the stack.
    private static final int PROBES = 16;
    /// Two cache lines of flags, because processors fetch neighbouring lines in pairs.
    private static final int STRIDE = 32;
    /// The index of the first flag, away from the array's length, which every access reads.
    private static final int FIRST = STRIDE;

    private final int slotCount = Math.max(16, Integer.highestOneBit(Runtime.getRuntime().availableProcessors()) * 8);
    private final int[] flags = new int[FIRST + slotCount * STRIDE];
    /// The slot where the last thread with the same lowest bits of its id found a slab. A race can only lose a hint.
    private final int[] hints = new int[HINTS];
    /// The slab that a slot belongs to. Only the thread that has acquired the flag reads it.
    private final @Nullable Slab[] slabs = new Slab[slotCount];
    private final Object stackLock = new Object();
    private @Nullable Slab stackTop;
    /// The slots that belong to a slab; guarded by the pool's lock.
    private final BitSet assigned = new BitSet(slotCount);
    /// Whether the number of idle slabs is limited; otherwise they are not counted.
    private final boolean limited;
    private volatile int mostIdle;
    private final AtomicInteger idle = new AtomicInteger();

    /// @param mostIdle the largest number of idle slabs, or [#NO_LIMIT]
    public SharedSlabCache(int mostIdle) {
        this.limited = mostIdle != NO_LIMIT;
        this.mostIdle = mostIdle;
    }

    /// Assigns a slot to a slab, if one is left, and directs the hint of the current thread to it. The caller holds the
    /// pool's lock and the slab.
    void assignSlot(Slab slab) {
        int slot = assigned.nextClearBit(0);
        if (slot < slotCount) {
            assigned.set(slot);
            slabs[slot] = slab;
            slab.slot = slot;
            hints[hintIndex()] = slot;
        }
    }

    /// Frees the slot of a slab that will not return. The caller holds the pool's lock and the slab.
    void freeSlot(Slab slab) {
        int slot = slab.slot;
        if (slot >= 0) {
            // First: no other slab may be assigned the slot while this slab returns to it.
            slab.slot = -1;
            slabs[slot] = null;
            assigned.clear(slot);
        }
    }

    /// Changes the largest number of idle slabs.
    ///
    /// @return whether more slabs are idle
    boolean limit(int mostIdle) {
        this.mostIdle = mostIdle;
        return idle.get() > mostIdle;
    }

    /// Acquires a slab, or returns null if none is found quickly.
    public @Nullable Slab acquire() {
        int slot = hints[hintIndex()];
        return counted(tryAcquire(slot) ? slabs[slot] : acquireAfter(slot, PROBES));
    }

    /// Acquires a slab, or returns null if there is none.
    @Nullable
    Slab acquireAny() {
        return counted(acquireAfter(hints[hintIndex()], slotCount + 1));
    }

    /// Releases a slab that the caller has acquired, unless there are too many idle slabs.
    ///
    /// @return whether the slab has been released
    public boolean release(Slab slab) {
        if (!tryCountIdle(1)) {
            return false;
        }
        put(slab);
        return true;
    }

    /// Counts memory as idle slabs, unless there are too many.
    boolean tryCountIdle(int slabs) {
        if (limited && idle.addAndGet(slabs) > mostIdle) {
            idle.addAndGet(-slabs);
            return false;
        }
        return true;
    }

    /// Undoes [#tryCountIdle].
    void uncountIdle(int slabs) {
        if (limited) {
            idle.addAndGet(-slabs);
        }
    }

    /// Releases a slab that the caller has acquired, however many are idle.
    void restore(Slab slab) {
        if (limited) {
            idle.incrementAndGet();
        }
        put(slab);
    }

    private void put(Slab slab) {
        if (slab.slot >= 0) {
            FLAG.setRelease(flags, indexOf(slab.slot), IDLE);
        } else {
            push(slab);
        }
    }

    /// Acquires all idle slabs.
    ///
    /// @param most the number of slabs of the pool
    List<Slab> acquireAll(int most) {
        // A slab that is acquired must not be lost for want of heap memory.
        List<Slab> all = new ArrayList<>(most);
        for (Slab slab = acquireAny(); slab != null; slab = acquireAny()) {
            all.add(slab);
        }
        return all;
    }

    private @Nullable Slab counted(@Nullable Slab acquired) {
        if (limited && acquired != null) {
            idle.decrementAndGet();
        }
        return acquired;
    }

    private @Nullable Slab acquireAfter(int missed, int probes) {
        for (int i = 1; i < Math.min(probes, slotCount + 1); i++) {
            int slot = (missed + i) & (slotCount - 1);
            if (tryAcquire(slot)) {
                hints[hintIndex()] = slot;
                return slabs[slot];
            }
        }
        return pop();
    }

    private void push(Slab slab) {
        synchronized (stackLock) {
            slab.previous = stackTop;
            stackTop = slab;
        }
    }

    private @Nullable Slab pop() {
        if (stackTop == null) {
            // This check is racy. It saves the lock.
            return null;
        }
        synchronized (stackLock) {
            Slab top = stackTop;
            if (top != null) {
                stackTop = top.previous;
                top.previous = null;
            }
            return top;
        }
    }

    private boolean tryAcquire(int slot) {
        int index = indexOf(slot);
        // Read the flag first: an exchange that fails would fetch the cache line for writing.
        return (int) FLAG.getOpaque(flags, index) == IDLE && (int) FLAG.getAndSet(flags, index, EMPTY) == IDLE;
    }

    private static int indexOf(int slot) {
        return FIRST + slot * STRIDE;
    }

    private static int hintIndex() {
        return (int) Thread.currentThread().threadId() & (HINTS - 1);
    }
}
