package dev.arenakit.internal.collection.cache;

import dev.arenakit.collection.concurrent.RemovalCause;
import dev.arenakit.collection.concurrent.RemovalListener;
import dev.arenakit.internal.collection.bytes.LruEntries;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// When entries of a cache expire, and who is told of removals.
///
/// Times are numbers of nanoseconds that may overflow, as [System#nanoTime] may, and are compared by their difference.
public final class CacheRules {
    /// The duration of entries that do not expire, and the longest one. Differences of times do not overflow.
    public static final long NEVER = Long.MAX_VALUE / 4;

    private final long writeNanos;
    private final long accessNanos;
    private final LongSupplier clock;
    private final @Nullable RemovalListener listener;
    private final Queue<Removal> removals = new ConcurrentLinkedQueue<>();
    /// The number of deadlines of an entry.
    final int deadlines;

    @SuppressWarnings("ArrayRecordComponent") // Nobody compares removals.
    private record Removal(byte[] key, byte[] value, RemovalCause cause) {}

    public CacheRules(long writeNanos, long accessNanos, LongSupplier clock, @Nullable RemovalListener listener) {
        this.writeNanos = writeNanos;
        this.accessNanos = accessNanos;
        this.clock = clock;
        this.listener = listener;
        this.deadlines = (writeNanos < NEVER ? 1 : 0) + (accessNanos < NEVER ? 1 : 0);
    }

    /// Returns the time, or 0 if entries do not expire. The caller has no lock.
    public long now() {
        return deadlines == 0 ? 0 : clock.getAsLong();
    }

    boolean isExpired(LruEntries entries, long entry, long now) {
        return deadlines > 0 && now - entries.deadline(entry) >= 0;
    }

    /// Sets the deadlines of the next value.
    void write(LruEntries entries, long now) {
        entries.setNextDeadlines(now + Math.min(writeNanos, accessNanos), now + writeNanos);
    }

    void access(LruEntries entries, long entry, long now) {
        if (accessNanos < NEVER) {
            long left = writeNanos < NEVER ? entries.lastDeadline(entry) - now : NEVER;
            entries.setDeadline(entry, now + Math.min(accessNanos, left));
        }
    }

    boolean hasListener() {
        return listener != null;
    }

    void removed(byte[] key, byte[] value, RemovalCause cause) {
        removals.add(new Removal(key, value, cause));
    }

    /// Passes all removals to the listener. The caller has no lock.
    public void deliver() {
        if (listener == null) {
            return;
        }
        for (Removal removal; (removal = removals.poll()) != null;) {
            try {
                listener.onRemoval(removal.key, removal.value, removal.cause);
            } catch (RuntimeException e) {
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
        }
    }
}
