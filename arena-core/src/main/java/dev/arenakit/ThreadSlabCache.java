package dev.arenakit;

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
     * limit the later thread owns no slab. A lookup takes a third of the code of a ThreadLocal, which decides whether
     * C2 still inlines the code that opens an arena.
     */
    private static final int INITIAL_LENGTH = 64;
    private static final int LARGEST_LENGTH = 4096;

    private @Nullable Slab[] table = new Slab[INITIAL_LENGTH];
    /// Changed under the lock. A thread that sees the change late fails to validate its stamp, or finds its own slab.
    private boolean enabled = true;

    /// Whether threads may own slabs.
    boolean isEnabled() {
        return enabled;
    }

    /// Stops threads from adding slabs. The lock is held.
    void disable() {
        enabled = false;
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

    /// Makes the current thread the owner of a slab, unless this cache is disabled, the slot of the thread is occupied,
    /// or the thread owns a slab already. The lock is held.
    ///
    /// @return whether the thread owns the slab now
    boolean add(Slab slab) {
        if (!enabled) {
            return false;
        }
        long id = Thread.currentThread().threadId();
        for (Slab occupant = table[indexIn(table, id)]; occupant != null; occupant = table[indexIn(table, id)]) {
            if (occupant.ownerId == id || table.length == LARGEST_LENGTH) {
                return false;
            }
            @Nullable
            Slab[] larger = new Slab[table.length * 2];
            for (Slab cached : all()) {
                larger[indexIn(larger, cached.ownerId)] = cached;
            }
            // A thread that sees the new table must also see its own slab in it.
            VarHandle.releaseFence();
            table = larger;
        }
        slab.setOwner(Thread.currentThread());
        table[indexIn(table, id)] = slab;
        return true;
    }

    /// Removes a slab from its owner. The lock is held, and the owner is dead or cannot validate its stamp.
    void remove(Slab slab) {
        table[indexIn(table, slab.ownerId)] = null;
        slab.clearOwner();
    }

    /// All slabs that threads own. The lock is held.
    List<Slab> all() {
        List<Slab> all = new ArrayList<>();
        for (Slab slab : table) {
            if (slab != null) {
                all.add(slab);
            }
        }
        return all;
    }

    /// The idle slabs that threads own. The lock is held.
    ///
    /// While the barrier is locked, no thread acquires one of these slabs. Call this once: a thread may still mark a
    /// slab as acquired before its stamp turns out to be invalid.
    List<Slab> idle() {
        return all().stream().filter(slab -> slab.state() == Slab.IDLE).toList();
    }

    private static int indexIn(@Nullable Slab[] table, long id) {
        return (int) id & (table.length - 1);
    }
}
