package dev.arenakit.internal.pool;

import dev.arenakit.CapacityExceededException;
import java.util.concurrent.atomic.AtomicLong;

/// The limit of one pool, how much of it is held, slabs in any state and large allocations, and the pool's counters.
///
/// Thread-safe.
final class SlabBudget {
    private final long maxByteSize;
    private final AtomicLong heldByteSize = new AtomicLong();
    private final AtomicLong peakByteSize = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();
    /// The native memory of all large allocations, in bytes.
    final AtomicLong largeByteSize = new AtomicLong();
    /// How often an arena has acquired a further slab.
    final AtomicLong overflows = new AtomicLong();

    SlabBudget(long maxByteSize) {
        this.maxByteSize = maxByteSize;
    }

    long maxByteSize() {
        return maxByteSize;
    }

    long heldByteSize() {
        return heldByteSize.get();
    }

    /// The largest value of [#heldByteSize] so far.
    long peakByteSize() {
        return peakByteSize.get();
    }

    /// How often [#full] was called.
    long refusals() {
        return refusals.get();
    }

    /// Reserves memory, unless it exceeds the limit.
    boolean reserve(long byteSize) {
        long held;
        do {
            held = heldByteSize.get();
            if (byteSize > maxByteSize - held) {
                return false;
            }
        } while (!heldByteSize.compareAndSet(held, held + byteSize));
        long peak = peakByteSize.get();
        while (held + byteSize > peak && !peakByteSize.compareAndSet(peak, held + byteSize)) {
            peak = peakByteSize.get();
        }
        return true;
    }

    /// Returns memory that was reserved.
    void release(long byteSize) {
        heldByteSize.addAndGet(-byteSize);
    }

    /// Counts a refusal and returns its exception.
    CapacityExceededException full(long byteSize) {
        refusals.incrementAndGet();
        return new CapacityExceededException("Pool is full", maxByteSize, heldByteSize.get(), byteSize,
                "close arenas sooner, or raise maxByteSize");
    }
}
