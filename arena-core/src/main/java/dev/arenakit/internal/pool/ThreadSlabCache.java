package dev.arenakit.internal.pool;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The slabs that platform threads own, at most one per thread, indexed by thread id.
///
/// All changes are made under the pool's lock. A thread may look up its own slab without the lock, because the thread
/// itself has added it.
final class ThreadSlabCache {
    /*
     * The table has one slot for each value of the lowest bits of the id, and no probing: ids are assigned in sequence
     * and never reused, so that collisions are rare. On a collision the table is doubled, up to a limit; beyond the
     * limit the later thread owns no slab. A lookup takes a third of the code of a ThreadLocal. The size of this code
     * decides whether C2 still inlines the code that opens an arena.
     */
    private static final int INITIAL_LENGTH = 64;
    private static final int LARGEST_LENGTH = 4096;

    private @Nullable Slab[] table = new Slab[INITIAL_LENGTH];
    private final int mostOwned;
    private int count;
    /// Changed under the lock. A thread that sees the change late acquires the lock once more than necessary.
    private boolean contended;

    /// @param mostOwned the largest number of slabs that threads own
    ThreadSlabCache(int mostOwned) {
        this.mostOwned = mostOwned;
    }

    /// Whether the pool has been full. Since then, a thread must use a slab often before it owns it.
    boolean isContended() {
        return contended;
    }

    /// Records that the pool is full. The lock is held.
    void setContended() {
        contended = true;
    }

    /// The number of slabs that threads own. The lock is held.
    int count() {
        return count;
    }

    /// The slab that the current thread owns, or null.
    @Nullable
    Slab find() {
        long id = Thread.currentThread().threadId();
        @Nullable
        Slab[] table = this.table;
        Slab slab = table[(int) id & (table.length - 1)];
        return slab != null && slab.ownerId == id ? slab : null;
    }

    /// Whether the slab of another thread occupies the slot of the current thread, and the table cannot grow.
    boolean isSlotOccupied() {
        @Nullable
        Slab[] table = this.table;
        long id = Thread.currentThread().threadId();
        Slab slab = table[indexIn(table, id)];
        return table.length == LARGEST_LENGTH && slab != null && slab.ownerId != id;
    }

    /// Makes the current thread the owner of a slab, unless the slot of the thread is occupied, the thread owns a slab
    /// already, or too many slabs have owners. The lock is held. If this method throws, nothing has changed.
    ///
    /// @return whether the thread owns the slab now
    boolean add(Slab slab) {
        if (count >= mostOwned) {
            return false;
        }
        long id = Thread.currentThread().threadId();
        for (Slab occupant = table[indexIn(table, id)]; occupant != null; occupant = table[indexIn(table, id)]) {
            if (occupant.ownerId == id || table.length == LARGEST_LENGTH) {
                return false;
            }
            @Nullable
            Slab[] larger = new Slab[table.length * 2];
            for (Slab cached : table) {
                if (cached != null) {
                    larger[indexIn(larger, cached.ownerId)] = cached;
                }
            }
            // A thread that sees the new table must also see its own slab in it.
            VarHandle.releaseFence();
            table = larger;
        }
        slab.setOwner(Thread.currentThread());
        table[indexIn(table, id)] = slab;
        count++;
        return true;
    }

    /// Removes a slab from its owner. The lock is held, and the owner is dead, cannot validate its stamp, or is the
    /// current thread, which has acquired the slab.
    void remove(Slab slab) {
        table[indexIn(table, slab.ownerId)] = null;
        count--;
        slab.clearOwner();
    }

    /// The number of slots.
    int length() {
        return table.length;
    }

    /// The slab in a slot, or null. The lock is held.
    @Nullable
    Slab at(int slot) {
        return table[slot];
    }

    /// The idle slabs that threads own. The lock is held.
    ///
    /// Their threads may acquire them at any time, unless the barrier is locked. Even then, a thread may mark a slab as
    /// acquired before its stamp turns out to be invalid.
    List<Slab> idle() {
        List<Slab> idle = new ArrayList<>();
        for (Slab slab : table) {
            if (slab != null && slab.state() == Slab.IDLE) {
                idle.add(slab);
            }
        }
        return idle;
    }

    private static int indexIn(@Nullable Slab[] table, long id) {
        return (int) id & (table.length - 1);
    }
}
