package dev.arenakit.internal.pool.stock;

import dev.arenakit.SlabPoolStatistics;
import dev.arenakit.internal.pool.memory.Slab;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The threads that wait for the first slab of a new arena, while the pool is full, in the order of their arrival.
///
/// Thread-safe. A waiting virtual thread does not pin its carrier.
public final class OpenQueue {
    /*
     * Only the first thread of the queue tries to acquire a slab; a thread that arrives while others wait joins the end
     * of the queue. Nothing is handed to a waiting thread, so that nothing is lost if the first thread leaves because
     * of its timeout or an interrupt: the next thread becomes the first one, and tries at once.
     *
     * Whoever returns memory to the pool makes the memory available first, and then looks for a first thread to wake. A
     * thread becomes the first one, and then tries to acquire a slab. There is a full fence between the two steps on
     * either side. Hence the thread finds the memory, or it is woken.
     *
     * The links are changed without a call of a method, so that no StackOverflowError leaves a thread in the queue that
     * no longer waits. An Error can prevent that the next thread is woken: that thread waits for the next release, or
     * until its timeout, and then tries once more.
     */
    /// The shortest length of waits that is told from others, in nanoseconds: most pools wait for milliseconds.
    private static final long SHORTEST = 10_000;
    /// The ranges of lengths end at 10 us, 20 us, 50 us, 100 us, ..., 10 s, and a last range has no end.
    private static final int RANGES = 20;

    private final long timeoutNanos;
    private final AtomicLong waitedNanos = new AtomicLong();
    /// How many waits have ended, by the range of their length.
    private final AtomicLongArray waits = new AtomicLongArray(RANGES);
    private volatile @Nullable Waiter first;
    /// The last thread; guarded by the monitor of this object, as are the links and the changes of `first`.
    private @Nullable Waiter last;
    /// The number of threads; guarded as the links are.
    private int size;

    /// @param timeoutNanos how long a thread waits, in nanoseconds
    public OpenQueue(long timeoutNanos) {
        this.timeoutNanos = timeoutNanos;
    }

    /// Acquires the first slab of an arena, and waits for it if the pool is full.
    public Slab acquire(Opener pool) {
        Waiter waiter = first;
        Slab slab = waiter == null ? pool.tryOpen() : null;
        if (slab == null && wouldWaitForItself(waiter, pool)) {
            slab = pool.tryOpen();
            if (slab == null) {
                throw pool.fullAfter(0, false);
            }
        }
        return slab == null ? await(pool) : slab;
    }

    /// Whether a cleanup opens the arena: the thread runs it while it waits, or before it releases memory.
    private static boolean wouldWaitForItself(@Nullable Waiter waiter, Opener pool) {
        return isOfCurrentThread(waiter) || pool.isEndingGroup();
    }

    private static boolean isOfCurrentThread(@Nullable Waiter waiter) {
        return waiter != null && waiter.thread.equals(Thread.currentThread());
    }

    /// Whether threads wait. The caller has made memory available, or is about to, by an atomic operation.
    public boolean hasWaiting() {
        return first != null;
    }

    /// Wakes the first thread, if there is one, after memory has become available or the pool has been shut down. If
    /// the first thread itself returns memory, it has not looked for memory for the last time.
    public void signal() {
        VarHandle.fullFence();
        Waiter waiter = first;
        if (waiter != null && !isOfCurrentThread(waiter)) {
            LockSupport.unpark(waiter.thread);
        }
    }

    private Slab await(Opener pool) {
        long begin = System.nanoTime();
        Waiter self = new Waiter(Thread.currentThread());
        add(self);
        try {
            while (true) {
                Slab slab = isFirst(self) ? pool.tryOpen() : null;
                long waited = System.nanoTime() - begin;
                if (slab != null) {
                    return slab;
                }
                boolean interrupted = Thread.currentThread().isInterrupted();
                if (interrupted || waited >= timeoutNanos) {
                    throw pool.fullAfter(waited, interrupted);
                }
                // Nobody says when a segment of a group is no longer in use.
                LockSupport.parkNanos(this, Math.min(timeoutNanos - waited, pool.nanosToNextLook()));
            }
        } finally {
            Waiter next;
            synchronized (this) {
                size--;
                Waiter previous = self.previous;
                next = self.next;
                if (next == null) {
                    last = previous;
                } else {
                    next.previous = previous;
                }
                if (previous == null) {
                    first = next;
                } else {
                    previous.next = next;
                    next = null;
                }
            }
            if (next != null) {
                LockSupport.unpark(next.thread);
            }
            count(System.nanoTime() - begin);
        }
    }

    private synchronized void add(Waiter waiter) {
        Waiter previous = last;
        waiter.previous = previous;
        if (previous == null) {
            first = waiter;
        } else {
            previous.next = waiter;
        }
        last = waiter;
        size++;
    }

    private void count(long nanos) {
        int range = 0;
        while (range < RANGES - 1 && nanos > maxNanos(range)) {
            range++;
        }
        waits.getAndIncrement(range);
        waitedNanos.getAndAdd(nanos);
    }

    /// The longest wait of a range.
    private static long maxNanos(int range) {
        if (range == RANGES - 1) {
            return Long.MAX_VALUE;
        }
        long nanos = SHORTEST;
        for (int i = 0; i < range; i++) {
            // From 1 to 2 to 5 to 10.
            nanos = i % 3 == 1 ? nanos / 2 * 5 : nanos * 2;
        }
        return nanos;
    }

    /// The number of threads that wait.
    synchronized int waitingThreads() {
        return size;
    }

    /// How long threads have waited whose wait has ended, in nanoseconds.
    long waitedNanos() {
        return waitedNanos.get();
    }

    /// The number of waits that have ended, by their length.
    List<SlabPoolStatistics.Waits> waits() {
        List<SlabPoolStatistics.Waits> all = new ArrayList<>();
        for (int range = 0; range < RANGES; range++) {
            all.add(new SlabPoolStatistics.Waits(maxNanos(range), waits.get(range)));
        }
        return all;
    }

    @SuppressWarnings("ReferenceEquality") // Each waiting thread has an object of its own.
    private boolean isFirst(Waiter waiter) {
        boolean isFirst = first == waiter;
        VarHandle.fullFence();
        return isFirst;
    }

    /// The pool whose first slabs the threads wait for.
    public interface Opener {
        /// Acquires the first slab of an arena, or returns null if the pool is full, which counts as no refusal.
        @Nullable
        Slab tryOpen();

        /// Counts a refusal and returns its exception, for a thread that has waited for a slab.
        ///
        /// @param interrupted whether an interrupt has ended the wait, and not the timeout
        RuntimeException fullAfter(long nanos, boolean interrupted);

        /// Whether the current thread runs a cleanup of a group of shared arenas.
        boolean isEndingGroup();

        /// How long a thread may wait at most before it looks for memory, or for the end of the pool, without a signal.
        long nanosToNextLook();
    }

    /// A waiting thread, and its neighbours in the queue.
    private static final class Waiter {
        final Thread thread;
        @Nullable
        Waiter previous;
        @Nullable
        Waiter next;

        Waiter(Thread thread) {
            this.thread = thread;
        }
    }
}
