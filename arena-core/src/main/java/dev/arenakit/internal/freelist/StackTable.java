package dev.arenakit.internal.freelist;

import dev.arenakit.internal.ThreadTable;
import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The stacks of the platform threads that use a shared allocator, by the lowest bits of the id of the thread.
///
/// A thread uses its own stacks without a lock and without an atomic operation: it marks them as busy, and then looks
/// whether stacks may be used. Another thread that needs what is in them, or frees them, first forbids their use, and
/// then makes a handshake with every thread, which each thread passes between two of its steps. If the mark came before
/// that, the other thread sees it and waits. Otherwise the owner sees that it may not use its stacks, and waits for the
/// lock. Nobody waits for the lock while its stacks are busy. See also
/// [ThreadSlabCache][dev.arenakit.internal.pool.stock.ThreadSlabCache].
///
/// Methods are called with the lock held, unless they say otherwise.
final class StackTable {
    private static final int FIRST_LENGTH = 16;
    /// Beyond, the later of two threads that collide uses the stacks that virtual threads share.
    private static final int LARGEST_LENGTH = 4096;

    static {
        // Loads the classes of a handshake: later, there may be no heap memory for them.
        Arena.ofShared().close();
    }

    private @Nullable Stacks[] table = new Stacks[FIRST_LENGTH];
    /// Stacks without a thread, all empty.
    private @Nullable Stacks unowned;
    /// Whether no thread may use its stacks without the lock. A thread that sees that it may must also see what others
    /// have done to its stacks before.
    private volatile boolean suspended;

    /// Returns the stacks of the current thread, or null if it has none. Any thread may call this without the lock.
    @Nullable
    Stacks find() {
        @Nullable
        Stacks[] table = this.table;
        long id = Thread.currentThread().threadId();
        Stacks stacks = table[(int) id & (table.length - 1)];
        // Only a thread itself makes stacks its own, and no other thread does so before it has terminated.
        return stacks != null && stacks.threadId() == id ? stacks : null;
    }

    /// Whether a thread whose stacks are busy must not use them.
    boolean isSuspended() {
        return suspended;
    }

    /// Gives the current thread the stacks of a terminated thread, or new ones.
    ///
    /// @return the stacks, or null if the thread is virtual, if there is no memory, or if the table is too short
    @Nullable
    Stacks create(RangeProvider source) {
        Thread thread = Thread.currentThread();
        if (thread.isVirtual()) {
            return null;
        }
        long id = thread.threadId();
        int slot = ThreadTable.slotOf(id, table.length);
        while (table[slot] != null && isOwned(table[slot])) {
            if (table.length == LARGEST_LENGTH) {
                return null;
            }
            table = ThreadTable.doubled(table);
            slot = ThreadTable.slotOf(id, table.length);
        }
        WeakReference<Thread> owner = new WeakReference<>(thread);
        Stacks stacks = table[slot];
        if (stacks == null) {
            if (unowned == null) {
                // From here on, an Error leaves the stacks to close().
                unowned = source.tryCreateStacks();
            }
            stacks = unowned;
            if (stacks == null) {
                return null;
            }
        }
        stacks.own(owner, id);
        // A thread that sees its stacks must also see their content.
        VarHandle.releaseFence();
        // Nothing is called from here on.
        if (table[slot] == null) {
            unowned = stacks.next;
            stacks.next = null;
            table[slot] = stacks;
        }
        return stacks;
    }

    private static boolean isOwned(@Nullable Stacks stacks) {
        return stacks != null && stacks.isOwned();
    }

    /// Empties the stacks of terminated threads.
    ///
    /// @param drain empties stacks
    void drainUnowned(Consumer<Stacks> drain) {
        for (int i = 0; i < table.length; i++) {
            Stacks stacks = table[i];
            if (stacks != null && !stacks.isOwned()) {
                drain.accept(stacks);
                table[i] = null;
                stacks.next = unowned;
                unowned = stacks;
            }
        }
    }

    /// Passes the stacks in the table to an action, which must not change the stacks of other live threads unless
    /// [suspended][#suspend()].
    void forEach(Consumer<Stacks> action) {
        for (Stacks stacks : table) {
            if (stacks != null) {
                action.accept(stacks);
            }
        }
    }

    /// Whether a condition is true for some stacks in the table.
    boolean anyMatch(Predicate<Stacks> condition) {
        for (Stacks stacks : table) {
            if (stacks != null && condition.test(stacks)) {
                return true;
            }
        }
        return false;
    }

    /// Forbids all threads to use their stacks without the lock, and waits until none does, until [#resume()]. If this
    /// method throws, nothing has changed.
    void suspend() {
        Arena handshake = Arena.ofShared();
        suspended = true;
        try {
            handshake.close();
            awaitIdle();
        } catch (Throwable t) {
            suspended = false;
            throw t;
        }
    }

    void resume() {
        suspended = false;
    }

    /// Waits until no thread uses its stacks without the lock. There has been a handshake since this was forbidden.
    @SuppressWarnings("ThreadPriorityCheck") // The other thread finishes a few steps.
    void awaitIdle() {
        for (Stacks stacks : table) {
            while (stacks != null && stacks.busy != 0 && stacks.isOwned()) {
                Thread.yield();
                VarHandle.acquireFence();
            }
        }
        VarHandle.acquireFence();
    }

    /// Frees the memory of all stacks.
    void free(RangeProvider source) {
        for (int i = 0; i < table.length; i++) {
            Stacks stacks = table[i];
            table[i] = null;
            if (stacks != null) {
                source.free(stacks);
            }
        }
        for (Stacks stacks = unowned; stacks != null; stacks = stacks.next) {
            unowned = stacks.next;
            source.free(stacks);
        }
    }
}
