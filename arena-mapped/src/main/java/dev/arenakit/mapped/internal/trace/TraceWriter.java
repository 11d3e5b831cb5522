package dev.arenakit.mapped.internal.trace;

import dev.arenakit.mapped.trace.TraceEvent.Kind;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Writes the events of all threads.
///
/// Each thread begins at the stripe of its id, and takes the next stripe that is free. There are more stripes than
/// processors, so that a thread that holds a stripe without running delays nobody. A virtual thread that waits for
/// its next turn holds none.
public final class TraceWriter {
    private static final int STRIPES = Integer.highestOneBit(4 * Runtime.getRuntime().availableProcessors());
    /// The number of times that a thread looks for a free stripe, some seconds. If it finds none, errors have left all
    /// stripes locked.
    private static final int ROUNDS = 1 << 16;
    private static final int BUSY_ROUNDS = 1 << 12;
    private static final long PAUSE_NANOS = 100_000;

    private final TraceStripe[] stripes = new TraceStripe[STRIPES];
    private final AtomicLong arenas = new AtomicLong();
    private final Supplier<@Nullable MemorySegment> pages;
    private final Runnable whenLocked;
    private final long startNanos;
    private volatile boolean isStopped;

    /// @param pages      returns a new page of zeros; null if the trace has ended
    /// @param whenLocked called if errors have left all stripes locked
    public TraceWriter(Supplier<@Nullable MemorySegment> pages, Runnable whenLocked) {
        this.pages = pages;
        this.whenLocked = whenLocked;
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new TraceStripe(i);
        }
        startNanos = System.nanoTime();
    }

    /// Records that an arena is opened.
    ///
    /// @return the arena's number
    public long opened(boolean isShared) {
        long arena = arenas.incrementAndGet();
        write(Kind.OPEN, arena, isShared ? TraceFormat.SHARED : 0, 0, 0, 0);
        return arena;
    }

    public void allocated(long arena, long byteSize, long byteAlignment) {
        write(Kind.ALLOCATE, arena, Long.numberOfTrailingZeros(byteAlignment), byteSize, 0, 0);
    }

    public void allocatedBlock(long arena, MemorySegment block, long byteAlignment) {
        write(Kind.ALLOCATE_BLOCK, arena, Long.numberOfTrailingZeros(byteAlignment), block.byteSize(),
                block.address(), 0);
    }

    public void resized(long arena, long address, MemorySegment block) {
        write(Kind.RESIZE_BLOCK, arena, 0, block.byteSize(), address, block.address());
    }

    public void freed(long arena, long address) {
        write(Kind.FREE_BLOCK, arena, 0, 0, address, 0);
    }

    public void closed(long arena) {
        write(Kind.CLOSE, arena, 0, 0, 0, 0);
    }

    public boolean isStopped() {
        return isStopped;
    }

    /// Stops writing. Threads that are writing an event may complete it.
    public void stop() {
        isStopped = true;
    }

    /// The time since the start.
    public long nanos() {
        return System.nanoTime() - startNanos;
    }

    /// Waits for the threads that are writing, and completes all pages.
    public void finish() {
        isStopped = true;
        for (TraceStripe stripe : stripes) {
            for (int round = 0; round < ROUNDS; round++) {
                if (stripe.tryLock()) {
                    // The stripe stays locked: its page is about to be unmapped.
                    stripe.finish();
                    break;
                }
                pause(round);
            }
        }
    }

    private void write(Kind kind, long arena, int flags, long byteSize, long address, long newAddress) {
        if (isStopped) {
            return;
        }
        Thread thread = Thread.currentThread();
        long id = thread.threadId();
        TraceStripe stripe = lock((int) id);
        if (stripe == null) {
            return;
        }
        try {
            if (isStopped) {
                return;
            }
            MemorySegment page = stripe.page();
            if (page == null) {
                page = nextPage(stripe);
                if (page == null) {
                    return;
                }
            }
            stripe.write(page, kind, nanos(), 2 * id + (thread.isVirtual() ? 1 : 0), arena, flags,
                    byteSize, address, newAddress);
        } finally {
            stripe.unlock();
        }
    }

    private @Nullable MemorySegment nextPage(TraceStripe stripe) {
        stripe.finish();
        MemorySegment page = pages.get();
        if (page != null) {
            stripe.begin(page, nanos());
        }
        return page;
    }

    private @Nullable TraceStripe lock(int first) {
        for (int round = 0; round < ROUNDS; round++) {
            TraceStripe stripe = stripes[first + round & STRIPES - 1];
            if (stripe.tryLock()) {
                return stripe;
            }
            if (isStopped) {
                return null;
            }
            if ((round & STRIPES - 1) == STRIPES - 1) {
                pause(round);
            }
        }
        whenLocked.run();
        return null;
    }

    private static void pause(int round) {
        if (round < BUSY_ROUNDS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
