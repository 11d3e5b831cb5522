package dev.arenakit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The slabs that a pool keeps for whoever comes next: any thread, without a lock.
final class SlabStore {
    /*
     * A slab has a cell of its own and returns to it, so that nobody else ever sets its flag, and giving back is one
     * release store (about 1 ns). Taking is one atomic exchange of the flag (about 5). A thread looks first at the cell
     * where it last found a slab, and then at the others in turn: two that meet at a cell have parted by their next turn,
     * and each finds a slab that its own processor used last. Where each began at a cell that its id led to, threads that met
     * went on meeting. The flags are numbers because an exchange of references would pay the garbage collector's barriers
     * as well. Slabs beyond the number of cells form a stack with a lock: each is the place of its own link, so that giving back
     * cannot fail for want of heap.
     */
    private static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class).withInvokeExactBehavior();
    private static final int HERE = 1;
    private static final int GONE = 0;
    /// How many threads with ids in sequence remember cells of their own.
    private static final int HINTS = 256;
    /// Two cache lines of flags: processors fetch neighbouring lines in pairs.
    private static final int STRIDE = 32;
    /// The first flag keeps away from the array's length, which every access reads.
    private static final int FIRST = STRIDE;

    private final int cellCount = Math.max(16, Integer.highestOneBit(Runtime.getRuntime().availableProcessors()) * 8);
    private final int[] flags = new int[FIRST + cellCount * STRIDE];
    /// Where the last thread with such an id, in its lowest bits, found a slab. A race may lose a hint, and nothing else.
    private final int[] hints = new int[HINTS];
    /// The slab that a cell belongs to; read by who has taken the flag.
    private final @Nullable Slab[] slabs = new Slab[cellCount];
    private final Object stackLock = new Object();
    private @Nullable Slab stackTop;
    /// Which cells belong to a slab; guarded by the pool's lock.
    private final BitSet claimed = new BitSet(cellCount);

    /// Gives a slab a cell, if one is left, where the current thread looks first. The pool's lock is held, the slab is the caller's.
    void claimCell(Slab slab) {
        int cell = claimed.nextClearBit(0);
        if (cell < cellCount) {
            claimed.set(cell);
            slabs[cell] = slab;
            slab.cell = cell;
            hints[place()] = cell;
        }
    }

    /// Takes the cell of a slab that will not return. The pool's lock is held, the slab is the caller's.
    void disclaimCell(Slab slab) {
        if (slab.cell >= 0) {
            slabs[slab.cell] = null;
            claimed.clear(slab.cell);
            slab.cell = -1;
        }
    }

    /// Takes a slab, which belongs to the caller from now on, or null when there is none.
    @Nullable
    Slab take() {
        int cell = hints[place()];
        return takeFlag(cell) ? slabs[cell] : takeElsewhere(cell);
    }

    /// Gives back a slab that the caller has taken.
    void give(Slab slab) {
        if (slab.cell >= 0) {
            FLAG.setRelease(flags, indexOf(slab.cell), HERE);
        } else {
            push(slab);
        }
    }

    /// Takes all that lie here.
    ///
    /// @param most as many as there may be: the list does not grow while slabs are in nobody's hands
    List<Slab> takeAll(int most) {
        List<Slab> all = new ArrayList<>(most);
        for (Slab slab = take(); slab != null; slab = take()) {
            all.add(slab);
        }
        return all;
    }

    private @Nullable Slab takeElsewhere(int missed) {
        for (int i = 1; i < cellCount; i++) {
            int cell = (missed + i) & (cellCount - 1);
            if (takeFlag(cell)) {
                hints[place()] = cell;
                return slabs[cell];
            }
        }
        return pop();
    }

    private void push(Slab slab) {
        synchronized (stackLock) {
            slab.below = stackTop;
            stackTop = slab;
        }
    }

    private @Nullable Slab pop() {
        synchronized (stackLock) {
            Slab top = stackTop;
            if (top != null) {
                stackTop = top.below;
                top.below = null;
            }
            return top;
        }
    }

    private boolean takeFlag(int cell) {
        int index = indexOf(cell);
        // A look first: an exchange in vain would fetch the cache line for writing.
        return (int) FLAG.getOpaque(flags, index) == HERE && (int) FLAG.getAndSet(flags, index, GONE) == HERE;
    }

    private static int indexOf(int cell) {
        return FIRST + cell * STRIDE;
    }

    private static int place() {
        return (int) Thread.currentThread().threadId() & (HINTS - 1);
    }
}
