package dev.arenakit.internal.pool.memory;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.ByteAccount;
import dev.arenakit.internal.diagnostics.event.MemoryEvents;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The name and the limit of one pool, how much of it is held, slabs in any state and large allocations, and the pool's
/// counters.
///
/// If the pool has a budget of the user, the same bytes are reserved on its account, after they were reserved here, and
/// released here first.
///
/// Thread-safe.
public final class SlabBudget {
    /// The bytes for each sample: an arena that acquires many slabs is seen, and the samples of a program that
    /// acquires a million large blocks a second cost next to nothing.
    private static final long SAMPLE_DISTANCE = 512 * 1024;

    /// The name of the pool, or empty.
    public final String name;
    private final long maxByteSize;
    private final @Nullable ByteAccount account;
    /// Wakes a thread that waits for memory, or null if none ever waits.
    private final @Nullable Runnable signal;
    private final AtomicLong heldByteSize = new AtomicLong();
    private final AtomicLong peakByteSize = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();
    /// The native memory of all large allocations, in bytes.
    public final AtomicLong largeByteSize = new AtomicLong();
    /// How often an arena has acquired a further slab.
    public final AtomicLong overflows = new AtomicLong();

    public SlabBudget(String name, long maxByteSize, @Nullable ByteAccount account, @Nullable Runnable signal) {
        this.name = name;
        this.maxByteSize = maxByteSize;
        this.account = account;
        this.signal = signal;
        MemoryEvents.initialize();
    }

    public long maxByteSize() {
        return maxByteSize;
    }

    public long heldByteSize() {
        return heldByteSize.get();
    }

    /// The largest value of [#heldByteSize] so far.
    public long peakByteSize() {
        return peakByteSize.get();
    }

    /// How often [#full] was called.
    public long refusals() {
        return refusals.get();
    }

    /// Reserves memory, unless it exceeds the limit.
    public boolean reserve(long byteSize) {
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
    public void release(long byteSize) {
        heldByteSize.addAndGet(-byteSize);
        if (account != null) {
            account.release(byteSize);
        }
        signal();
    }

    /// Wakes a thread that waits for memory: some is released, or idle.
    public void signal() {
        if (signal != null) {
            signal.run();
        }
    }

    /// How many bytes must be released before a number of bytes can be reserved.
    public long missing(long byteSize) {
        long available = maxByteSize - heldByteSize.get();
        return byteSize - (account == null ? available : Math.min(available, account.available()));
    }

    /// Tells the user's budget that the pool is closed.
    public void close() {
        if (account != null) {
            account.closePool();
        }
    }

    /// Records what an arena needs beyond its first slab, if a recording is running and the bytes are sampled. They are
    /// sampled at random: of two arenas that grow in turn, every eighth slab would always be of the same one.
    public void sample(String kind, long byteSize) {
        if (MemoryEvents.areOn() && ThreadLocalRandom.current().nextLong(SAMPLE_DISTANCE) < byteSize) {
            MemoryEvents.sample(name, kind, byteSize, Math.max(byteSize, SAMPLE_DISTANCE));
        }
    }

    /// Counts a refusal and returns its exception.
    ///
    /// @param openArenas the number of open arenas, for the message
    /// @param values     further values for the message
    /// @param remedy     the end of the message if the limit of the pool is exceeded
    public RuntimeException full(long byteSize, long openArenas, String values, String remedy) {
        refusals.incrementAndGet();
        long held = heldByteSize.get();
        MemoryEvents.poolFull(name, maxByteSize, held, byteSize, openArenas);
        if (account != null && byteSize <= maxByteSize - held) {
            return account.exceeded(byteSize,
                    (name.isEmpty() ? "" : ", pool=" + name) + ", openArenas=" + openArenas + values);
        }
        return new CapacityExceededException("Pool is full: " + (name.isEmpty() ? "" : "pool=" + name + ", ")
                + "limit=" + maxByteSize + ", used=" + held + ", requested=" + byteSize + ", openArenas=" + openArenas
                + values + remedy, maxByteSize, held, byteSize);
    }
}
