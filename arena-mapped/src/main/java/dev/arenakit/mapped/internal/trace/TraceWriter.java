package dev.arenakit.mapped.internal.trace;

import dev.arenakit.diagnostics.ArenaRecorder;
import dev.arenakit.mapped.trace.TraceEvent.Kind;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Writes the events of all threads.
///
/// Each thread begins at the stripe of its id, and takes the next stripe that is not busy. There are more stripes than
/// processors, so that a thread that holds a stripe without running delays nobody.
public final class TraceWriter implements ArenaRecorder {
    private static final int STRIPES = Integer.highestOneBit(4 * Runtime.getRuntime().availableProcessors());

    private final TraceStripe[] stripes = new TraceStripe[STRIPES];
    private final AtomicLong arenas = new AtomicLong();
    private final Supplier<@Nullable MemorySegment> pages;
    private final long startNanos;
    private volatile boolean isStopped;

    /// @param pages returns a new page of zeros; null if the trace has ended
    public TraceWriter(Supplier<@Nullable MemorySegment> pages) {
        this.pages = pages;
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new TraceStripe(i);
        }
        startNanos = System.nanoTime();
    }

    @Override
    public long opened(boolean isShared) {
        if (isStopped) {
            return 0;
        }
        long arena = arenas.incrementAndGet();
        write(Kind.OPEN, arena, isShared ? TraceFormat.SHARED : 0, 0, 0, 0);
        return arena;
    }

    @Override
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

    @Override
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

    /// Waits for the threads that are writing, and completes all pages, which are not used any more.
    public void finish() {
        isStopped = true;
        for (TraceStripe stripe : stripes) {
            synchronized (stripe) {
                stripe.finish();
            }
        }
    }

    private void write(Kind kind, long arena, int flags, long byteSize, long address, long newAddress) {
        Thread thread = Thread.currentThread();
        long id = thread.threadId();
        int number = (int) id & (STRIPES - 1);
        for (int i = 1; i < STRIPES && stripes[number].isBusy; i++) {
            number = (int) (id + i) & (STRIPES - 1);
        }
        TraceStripe stripe = stripes[number];
        synchronized (stripe) {
            if (isStopped) {
                return;
            }
            stripe.isBusy = true;
            try {
                MemorySegment page = stripe.page();
                if (page == null) {
                    page = nextPage(stripe);
                }
                if (page != null) {
                    stripe.write(page, kind, System.nanoTime() - startNanos, 2 * id + (thread.isVirtual() ? 1 : 0),
                            arena, flags, byteSize, address, newAddress);
                }
            } finally {
                stripe.isBusy = false;
            }
        }
    }

    private @Nullable MemorySegment nextPage(TraceStripe stripe) {
        stripe.finish();
        MemorySegment page = pages.get();
        if (page != null) {
            stripe.begin(page, System.nanoTime() - startNanos);
        }
        return page;
    }
}
