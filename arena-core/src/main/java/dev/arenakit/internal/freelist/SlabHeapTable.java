package dev.arenakit.internal.freelist;

import dev.arenakit.internal.OutOfLine;
import dev.arenakit.internal.ThreadTable;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The heaps of threads, by the lowest bits of the id of the thread.
final class SlabHeapTable {
    private static final int FIRST_LENGTH = 16;
    private static final int LARGEST_LENGTH = 4096;

    private final SlabBlocks blocks;
    private final Object lock;
    private @Nullable SlabHeap[] table = new SlabHeap[FIRST_LENGTH];

    SlabHeapTable(SlabBlocks blocks, Object lock) {
        this.blocks = blocks;
        this.lock = lock;
    }

    /// The heap of the current thread, or null if the thread is virtual, or if there is no memory for its heap.
    @Nullable
    SlabHeap current() {
        @Nullable
        SlabHeap[] table = this.table;
        Thread thread = Thread.currentThread();
        long id = thread.threadId();
        SlabHeap heap = table[(int) id & (table.length - 1)];
        // Only a thread itself makes a heap its own, and no other thread does so before it has terminated.
        return heap != null && heap.threadId == id ? heap : currentSlowly(OutOfLine.CALLS, this, thread, id);
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
        SlabHeap[] table;
        synchronized (lock) {
            table = this.table;
        }
        for (SlabHeap heap : table) {
            while (heap != null && heap.busy && heap.isOwned()) {
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
                int slot = ThreadTable.slotOf(id, table.length);
                SlabHeap other = table[slot];
                if (other != null && other.threadId == id) {
                    return other;
                }
                if (other == null || !other.isOwned()) {
                    int unowned = other == null || other.isInterrupted() ? unowned() : slot;
                    SlabHeap heap = unowned < 0 ? blocks.prepareHeap() : table[unowned];
                    if (heap == null) {
                        return null;
                    }
                    heap.own(new WeakReference<>(thread), id);
                    if (unowned >= 0) {
                        table[unowned] = null;
                    } else {
                        // Last: until here, the records may be of no heap.
                        blocks.space.useRecords();
                    }
                    table[slot] = heap;
                    return heap;
                }
                if (table.length == LARGEST_LENGTH) {
                    return null;
                }
                table = ThreadTable.doubled(table);
            }
        }
    }

    /// The slot of the heap of a thread that has terminated, or -1.
    private int unowned() {
        for (int i = 0; i < table.length; i++) {
            SlabHeap heap = table[i];
            if (heap != null && !heap.isOwned() && !heap.isInterrupted()) {
                return i;
            }
        }
        return -1;
    }

    /// Passes the heaps of threads that have terminated to an action, unless their lists cannot be used any more. The
    /// lock is held.
    void forEachUnowned(Consumer<SlabHeap> action) {
        for (SlabHeap heap : table) {
            if (heap != null && !heap.isOwned() && !heap.isInterrupted()) {
                action.accept(heap);
            }
        }
    }

    /// Takes a slab of a size class with free blocks from a terminated thread, and gives back the empty slabs of
    /// terminated threads. The lock is held.
    ///
    /// @return the slab, or 0
    long takeOver(int sizeClass) {
        long[] taken = new long[1];
        forEachUnowned(heap -> {
            if (taken[0] == 0) {
                heap.releaseCurrent();
                taken[0] = heap.handOver(sizeClass);
            }
        });
        return taken[0];
    }
}
