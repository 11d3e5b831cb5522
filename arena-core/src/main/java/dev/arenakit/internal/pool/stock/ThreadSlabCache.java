package dev.arenakit.internal.pool.stock;

import dev.arenakit.internal.ThreadTable;
import dev.arenakit.internal.pool.memory.Slab;
import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The slabs that platform threads own, at most one per thread, indexed by thread id.
///
/// All changes are made under the pool's lock. A thread acquires and releases its own slab without the lock and without
/// an atomic operation; another thread takes it away between [#suspend()] and [#resume()]. This is an asymmetric lock:
/// it costs the owner one load, and the other thread a handshake with all threads, thousands of times as much.
///
/// The owner looks up its slab in the published table, marks it as acquired, and then reads whether that table is still
/// the published one. The other thread publishes an empty table, and then stops all threads at a safepoint poll,
/// between two steps of each. If the owner has read the same table twice by then, the other thread sees its mark.
/// Otherwise the second read finds another table, and the owner takes back its mark: no table is published again after
/// it has been replaced by the empty one.
///
/// Without the handshake, a processor could still hold back the owner's mark at the second read. Linux has the system
/// call `membarrier` for this purpose. This class closes a shared arena, and relies on HotSpot's handshake, which
/// orders the memory accesses of both threads. No thread ever accesses memory of that arena: such a thread would be
/// interrupted. The specification promises no handshake, so that this class must be examined again for any other JVM.
public final class ThreadSlabCache {
    /*
     * Beyond the largest length, the later of two threads that collide owns no slab. The size of the code of a lookup
     * decides whether C2 still inlines the code that opens an arena.
     */
    private static final int INITIAL_LENGTH = 64;
    private static final int LARGEST_LENGTH = 4096;

    private static final @Nullable Slab[] EMPTY = new Slab[1];

    static {
        // Loads the classes of a handshake when the first pool is built: later, there may be no heap memory for them.
        Arena.ofShared().close();
    }

    private @Nullable Slab[] table = new Slab[INITIAL_LENGTH];
    /// The table, or the empty one while slabs are taken from their owners.
    private @Nullable Slab[] published = table;
    private final int mostOwned;
    private int count;
    /// Whether no thread acquires its slab any more. Changed under the lock.
    private boolean ended;
    /// Changed under the lock. A thread that sees the change late acquires the lock once more than necessary.
    private boolean contended;

    /// @param mostOwned the largest number of slabs that threads own
    public ThreadSlabCache(int mostOwned) {
        this.mostOwned = mostOwned;
    }

    /// Whether the pool has been full, or a thread has detached an arena with its slab. Since then, a thread must use a
    /// slab often before it owns it.
    public boolean isContended() {
        return contended;
    }

    /// Records that slabs change threads. The lock is held.
    public void setContended() {
        contended = true;
    }

    /// The number of slabs that threads own. The lock is held.
    int count() {
        return count;
    }

    /// Acquires the slab of the current thread as the first slab of an arena. Returns null if the thread has no idle
    /// slab, or may not acquire it at the moment.
    @SuppressWarnings("ReferenceEquality") // A table is a stamp: another one with the same slabs is invalid.
    public @Nullable Slab acquire() {
        @Nullable
        Slab[] table = published;
        long id = Thread.currentThread().threadId();
        Slab slab = table[(int) id & (table.length - 1)];
        if (slab == null || slab.encodedState() != id) {
            return null;
        }
        slab.encodedState(-Slab.PRIMARY);
        // No instruction on x86, but a limit for the compiler: the mark comes first.
        VarHandle.releaseFence();
        VarHandle.acquireFence();
        if (published != table) {
            slab.encodedState(id);
            return null;
        }
        slab.opens++;
        return slab;
    }

    /// Keeps all threads from acquiring their slabs, until [#resume()]. The lock is held. If this method throws, the
    /// threads may acquire their slabs.
    void suspend() {
        Arena handshake = Arena.ofShared();
        @Nullable
        Slab[] copy = table.clone();
        // A thread that sees the copy must also see its own slab in it.
        VarHandle.releaseFence();
        table = copy;
        published = EMPTY;
        try {
            handshake.close();
        } catch (Throwable t) {
            resume();
            throw t;
        }
    }

    /// Lets threads acquire their slabs again, unless the pool has ended. The lock is held.
    public void resume() {
        if (!ended) {
            // A thread that sees the table must also see its own slab in it.
            VarHandle.releaseFence();
            published = table;
        }
    }

    /// Makes a [suspension][#suspend()] final: the pool has been shut down or closed. The lock is held.
    void end() {
        ended = true;
    }

    /// The slab that the current thread owns, or null.
    public @Nullable Slab find() {
        long id = Thread.currentThread().threadId();
        @Nullable
        Slab[] table = this.table;
        Slab slab = table[(int) id & (table.length - 1)];
        return slab != null && slab.ownerId == id ? slab : null;
    }

    /// Whether the slab of another thread occupies the slot of the current thread, and the table cannot grow.
    public boolean isSlotOccupied() {
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
        resume();
        return true;
    }

    /// Removes a slab from its owner. The lock is held, and the owner is dead, is suspended, or is the current thread,
    /// which has acquired the slab.
    public void remove(Slab slab) {
        int slot = ThreadTable.slotOf(slab.ownerId, table.length);
        // From here to the next call, an Error cannot intervene: a slab in no table must not look as if it had an
        // owner.
        table[slot] = null;
        slab.ownerId = 0;
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
    /// Their threads may acquire them at any time, unless they are suspended. Even then, a thread may mark a slab as
    /// acquired for a moment.
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
