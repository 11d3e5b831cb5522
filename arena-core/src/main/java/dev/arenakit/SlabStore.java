package dev.arenakit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// The slabs that a pool keeps for whoever comes next: any thread, without a lock.
final class SlabStore {
    /*
     * A slab has a cell of its own and returns to it, so that nobody else ever stores there and giving back is one
     * release store (about 1 ns); taking is one atomic exchange (about 5). A thread looks into the cell that its id
     * leads to first, and then into the others in turn, so that threads meet only by chance. Slabs beyond the number of
     * cells go to a queue, which costs some garbage.
     */
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(Slab[].class).withInvokeExactBehavior();
    /// Two cache lines of compressed references: neighbouring lines are fetched in pairs.
    private static final int STRIDE = 32;

    private final int cellCount = Math.max(16, Integer.highestOneBit(Runtime.getRuntime().availableProcessors()) * 8);
    private final Slab[] cells = new Slab[cellCount * STRIDE];
    private final ConcurrentLinkedQueue<Slab> overflow = new ConcurrentLinkedQueue<>();
    /// Which cells belong to a slab; guarded by the pool's lock.
    private final BitSet taken = new BitSet();

    /// Gives a slab a cell near the current thread, if one is left. The pool's lock is held, the slab is the caller's.
    void claimCell(Slab slab) {
        int cell = taken.nextClearBit(home());
        if (cell >= cellCount) {
            cell = taken.nextClearBit(0);
        }
        if (cell < cellCount) {
            taken.set(cell);
            slab.cell = cell;
        }
    }

    /// Takes the cell of a slab that will not return. The pool's lock is held, the slab is the caller's.
    void disclaimCell(Slab slab) {
        if (slab.cell >= 0) {
            taken.clear(slab.cell);
            slab.cell = -1;
        }
    }

    /// Takes a slab, which belongs to the caller from now on, or null when there is none.
    @Nullable
    Slab take() {
        int home = home();
        Slab slab = takeCell(home);
        return slab != null ? slab : takeElsewhere(home);
    }

    /// Gives back a slab that the caller has taken.
    void give(Slab slab) {
        if (slab.cell >= 0) {
            CELL.setRelease(cells, slab.cell * STRIDE, slab);
        } else {
            overflow.add(slab);
        }
    }

    /// Takes all that lie here.
    List<Slab> takeAll() {
        List<Slab> all = new ArrayList<>();
        for (Slab slab = take(); slab != null; slab = take()) {
            all.add(slab);
        }
        return all;
    }

    private @Nullable Slab takeElsewhere(int home) {
        for (int i = 1; i < cellCount; i++) {
            Slab slab = takeCell((home + i) & (cellCount - 1));
            if (slab != null) {
                return slab;
            }
        }
        return overflow.poll();
    }

    private @Nullable Slab takeCell(int cell) {
        int index = cell * STRIDE;
        // A look first: an exchange of an empty cell would fetch its cache line for writing.
        return (Slab) CELL.getOpaque(cells, index) == null ? null : (Slab) CELL.getAndSet(cells, index, (Slab) null);
    }

    private int home() {
        return (int) ((Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L) >>> 32) & (cellCount - 1);
    }
}
