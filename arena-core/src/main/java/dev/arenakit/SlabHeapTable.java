package dev.arenakit;

import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/// The heaps of threads, by the lowest bits of the id of the thread.
final class SlabHeapTable {
    private static final int FIRST_LENGTH = 16;
    private static final int LARGEST_LENGTH = 4096;

    private final SlabBlocks blocks;
    private final Object lock;
    private @Nullable Entry[] table = new Entry[FIRST_LENGTH];

    SlabHeapTable(SlabBlocks blocks, Object lock) {
        this.blocks = blocks;
        this.lock = lock;
    }

    /// The heap of the current thread, or null if the thread is virtual, or if there is no memory for its heap.
    @Nullable
    SlabHeap current() {
        @Nullable
        Entry[] table = this.table;
        Thread thread = Thread.currentThread();
        long id = thread.threadId();
        Entry entry = table[(int) id & (table.length - 1)];
        return entry != null && entry.threadId == id ? entry.heap : currentSlowly(OutOfLine.CALLS, this, thread, id);
    }

    private static @Nullable SlabHeap currentSlowly(int calls, SlabHeapTable table, Thread thread, long id) {
        if (calls > 0) {
            return currentSlowly(calls - 1, table, thread, id);
        }
        return thread.isVirtual() ? null : table.create(thread, id);
    }

    /// Waits until no thread uses its heap. The scope has ended, so that none begins to.
    @SuppressWarnings("ThreadPriorityCheck") // The other thread finishes a step, which may map memory.
    void awaitIdle() {
        @Nullable
        Entry[] table;
        synchronized (lock) {
            table = this.table;
        }
        for (Entry entry : table) {
            while (entry != null && entry.heap.busy && entry.isAlive()) {
                Thread.yield();
                VarHandle.acquireFence();
            }
        }
        VarHandle.acquireFence();
    }

    private @Nullable SlabHeap create(Thread thread, long id) {
        synchronized (lock) {
            blocks.space.checkOpen();
            while (true) {
                int slot = (int) id & (table.length - 1);
                Entry other = table[slot];
                if (other != null && other.threadId == id) {
                    return other.heap;
                }
                if (other == null || !other.isAlive()) {
                    Entry created = newEntry(thread, id, other);
                    if (created == null) {
                        return null;
                    }
                    table[slot] = created;
                    return created.heap;
                }
                if (table.length == LARGEST_LENGTH) {
                    return null;
                }
                grow();
            }
        }
    }

    /// Creates an entry, with the heap of a thread that has terminated, if there is one.
    private @Nullable Entry newEntry(Thread thread, long id, @Nullable Entry other) {
        WeakReference<Thread> reference = new WeakReference<>(thread);
        if (other != null) {
            return new Entry(id, reference, other.heap);
        }
        for (int i = 0; i < table.length; i++) {
            Entry entry = table[i];
            if (entry != null && !entry.isAlive()) {
                Entry adopted = new Entry(id, reference, entry.heap);
                table[i] = null;
                return adopted;
            }
        }
        SlabHeap heap = blocks.newHeap();
        return heap == null ? null : new Entry(id, reference, heap);
    }

    private void grow() {
        @Nullable
        Entry[] larger = new Entry[2 * table.length];
        for (Entry entry : table) {
            if (entry != null) {
                larger[(int) entry.threadId & (larger.length - 1)] = entry;
            }
        }
        // A thread that sees the new table must also see its own entry in it.
        VarHandle.releaseFence();
        table = larger;
    }

    private record Entry(long threadId, WeakReference<Thread> thread, SlabHeap heap) {
        /// Whether the thread has not terminated. If it has, the caller sees everything that it has written.
        boolean isAlive() {
            Thread owner = thread.get();
            return owner != null && owner.isAlive();
        }
    }
}
