package dev.arenakit;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The slabs that platform threads keep for themselves, one each, found by the thread's id.
///
/// Changes are made under the pool's lock. A thread may look for its own slab without: it has put it there itself.
final class KeptSlabs {
    /*
     * A table with one place for each value of the lowest bits of the id, and no search: ids are given in sequence and
     * never again, so that few threads meet. Where two do, the table is doubled, up to a limit; beyond that the later
     * thread keeps no slab. Finding takes a third of the code of a ThreadLocal, which decides whether C2 still inlines
     * what opens an arena.
     */
    private static final int FIRST_LENGTH = 64;
    private static final int LARGEST_LENGTH = 4096;

    private @Nullable Slab[] table = new Slab[FIRST_LENGTH];

    /// The slab that the current thread keeps, or null.
    @Nullable
    Slab find() {
        long id = Thread.currentThread().threadId();
        @Nullable
        Slab[] table = this.table;
        Slab slab = table[(int) id & (table.length - 1)];
        return slab != null && slab.keeperId == id ? slab : null;
    }

    /// Whether the current thread has no slab and cannot get one as long as another thread keeps its own.
    boolean isRefused() {
        @Nullable
        Slab[] table = this.table;
        long id = Thread.currentThread().threadId();
        Slab slab = table[indexIn(table, id)];
        return table.length == LARGEST_LENGTH && slab != null && slab.keeperId != id;
    }

    /// Lets the current thread keep a slab, unless it is refused or keeps one. The lock is held.
    boolean keep(Slab slab) {
        long id = Thread.currentThread().threadId();
        for (Slab met = table[indexIn(table, id)]; met != null; met = table[indexIn(table, id)]) {
            if (met.keeperId == id || table.length == LARGEST_LENGTH) {
                return false;
            }
            @Nullable
            Slab[] larger = new Slab[table.length * 2];
            for (Slab kept : all()) {
                larger[indexIn(larger, kept.keeperId)] = kept;
            }
            // A thread that finds the new table finds its own slab in it.
            VarHandle.releaseFence();
            table = larger;
        }
        slab.keepFor(Thread.currentThread());
        table[indexIn(table, id)] = slab;
        return true;
    }

    /// Takes a slab away from its keeper. The lock is held, and the keeper is dead or does not pass the gate.
    void drop(Slab slab) {
        table[indexIn(table, slab.keeperId)] = null;
        slab.keepForNobody();
    }

    /// All slabs that are kept. The lock is held.
    List<Slab> all() {
        List<Slab> all = new ArrayList<>();
        for (Slab slab : table) {
            if (slab != null) {
                all.add(slab);
            }
        }
        return all;
    }

    private static int indexIn(@Nullable Slab[] table, long id) {
        return (int) id & (table.length - 1);
    }
}
