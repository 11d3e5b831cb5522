package dev.arenakit.internal.pool;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.ByteAccount;
import dev.arenakit.internal.diagnostics.event.MemoryEvents;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The limit of one pool, how much of it is held, slabs in any state and large allocations, and the pool's counters.
///
/// If the pool has a budget of the user, the same bytes are reserved on its account, after they were reserved here, and
/// released here first.
///
/// Thread-safe.
final class SlabBudget {
    /// The bytes for each sample: an arena that acquires many slabs is seen, and the samples of a program that
    /// acquires a million large blocks a second cost next to nothing.
    private static final long SAMPLE_DISTANCE = 512 * 1024;

    private final long maxByteSize;
    private final @Nullable ByteAccount account;
    /// The threads that wait for memory, or null if none ever waits.
    private final @Nullable OpenQueue queue;
    private final AtomicLong heldByteSize = new AtomicLong();
    private final AtomicLong peakByteSize = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();
    /// The native memory of all large allocations, in bytes.
    final AtomicLong largeByteSize = new AtomicLong();
    /// How often an arena has acquired a further slab.
    final AtomicLong overflows = new AtomicLong();

    SlabBudget(long maxByteSize, @Nullable ByteAccount account, @Nullable OpenQueue queue) {
        this.maxByteSize = maxByteSize;
        this.account = account;
        this.queue = queue;
        MemoryEvents.initialize();
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
        if (account != null && !account.reserve(byteSize)) {
            heldByteSize.addAndGet(-byteSize);
            signal();
            return false;
        }
        long peak = peakByteSize.get();
        while (held + byteSize > peak && !peakByteSize.compareAndSet(peak, held + byteSize)) {
            peak = peakByteSize.get();
        }
        return true;
    }

    /// Returns memory that was reserved.
    void release(long byteSize) {
        heldByteSize.addAndGet(-byteSize);
        if (account != null) {
            account.release(byteSize);
        }
        signal();
    }

    private void signal() {
        if (queue != null) {
            queue.signal();
        }
    }

    /// How many bytes must be released before a number of bytes can be reserved.
    long missing(long byteSize) {
        long available = maxByteSize - heldByteSize.get();
        return byteSize - (account == null ? available : Math.min(available, account.available()));
    }

    /// Tells the user's budget that the pool is closed.
    void close() {
        if (account != null) {
            account.closePool();
        }
    }

    /// Records what an arena needs beyond its first slab, if a recording is running and the bytes are sampled. They are
    /// sampled at random: of two arenas that grow in turn, every eighth slab would always be of the same one.
    void sample(String kind, long byteSize) {
        if (MemoryEvents.areOn() && ThreadLocalRandom.current().nextLong(SAMPLE_DISTANCE) < byteSize) {
            MemoryEvents.sample(kind, byteSize, Math.max(byteSize, SAMPLE_DISTANCE));
        }
    }

    /// Counts a refusal and returns its exception.
    ///
    /// @param openArenas the number of open arenas, for the message
    /// @param values     further values for the message
    /// @param remedy     the end of the message if the limit of the pool is exceeded
    RuntimeException full(long byteSize, long openArenas, String values, String remedy) {
        refusals.incrementAndGet();
        long held = heldByteSize.get();
        MemoryEvents.poolFull(maxByteSize, held, byteSize, openArenas);
        if (account != null && byteSize <= maxByteSize - held) {
            return account.exceeded(byteSize, ", openArenas=" + openArenas + values);
        }
        return new CapacityExceededException("Pool is full: limit=" + maxByteSize + ", used=" + held + ", requested="
                + byteSize + ", openArenas=" + openArenas + values + remedy, maxByteSize, held, byteSize);
    }
}
