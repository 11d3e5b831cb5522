package dev.arenakit.internal.pool;

import dev.arenakit.internal.ThreadTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The slabs that platform threads own, at most one per thread, indexed by thread id.
///
/// All changes are made under the pool's lock. A thread may look up its own slab without the lock, because the thread
/// itself has added it.
final class ThreadSlabCache {
    /*
     * Beyond the largest length, the later of two threads that collide owns no slab. The size of the code of a lookup
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
        Slab slab = table[ThreadTable.slotOf(id, table.length)];
        return table.length == LARGEST_LENGTH && slab != null && slab.ownerId != id;
    }

    /// Makes the current thread the owner of a slab, unless the slot of the thread is occupied, the thread owns a slab
    /// already, or too many slabs have owners. The lock is held.
    ///
    /// @return whether the thread owns the slab now
    boolean add(Slab slab) {
        if (count >= mostOwned) {
            return false;
        }
        long id = Thread.currentThread().threadId();
        int slot = ThreadTable.slotOf(id, table.length);
        for (Slab occupant = table[slot]; occupant != null; occupant = table[slot]) {
            if (occupant.ownerId == id || table.length == LARGEST_LENGTH) {
                return false;
            }
            table = ThreadTable.doubled(table);
            slot = ThreadTable.slotOf(id, table.length);
        }
        slab.setOwner(Thread.currentThread());
        table[slot] = slab;
        count++;
        return true;
    }

    /// Removes a slab from its owner. The lock is held, and the owner is dead, cannot validate its stamp, or is the
    /// current thread, which has acquired the slab.
    void remove(Slab slab) {
        table[ThreadTable.slotOf(slab.ownerId, table.length)] = null;
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
}
