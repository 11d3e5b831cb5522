package dev.arenakit;

import dev.arenakit.internal.Sizes;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The native memory of a [SlabPool] at one moment, in bytes, and what has happened to the pool so far.
///
/// @param name               the [name][SlabPool.Builder#name] of the pool, empty if it has none
/// @param openArenas         the number of open arenas and of [parcels][SlabParcel]; an arena left open by a terminated
///                           thread counts forever
/// @param usedByteSize       the memory of open arenas: whole slabs, and the blocks of large allocations; and what
///                           closed arenas of [groups][SlabPool.Builder#groupedClose] hold back
/// @param idleByteSize       the memory that the pool holds for future arenas: whole slabs, and larger blocks
/// @param maxByteSize        the limit for the sum of both, [Long#MAX_VALUE] if there is none
/// @param threadIdleByteSize the part of `idleByteSize` that threads own
/// @param largeByteSize      the part of `usedByteSize` that consists of large allocations
/// @param peakByteSize       the largest sum of used and idle memory so far
/// @param opens              how many arenas have been opened
/// @param overflows          how often an arena has filled a slab and acquired a further one
/// @param refusals           how often the pool was full, and an allocation was refused
/// @param waitingThreads     the number of threads that [wait][SlabPool.Builder#openTimeout] for an arena
/// @param waitedNanos        how long threads have waited so far, in nanoseconds; a thread counts when its wait ends,
///                           with an arena or without
/// @param waits              how many waits have ended, by their length, the shortest first; empty if the pool never
///                           waits
public record SlabPoolStatistics(String name, long openArenas, long usedByteSize, long idleByteSize, long maxByteSize,
        long threadIdleByteSize, long largeByteSize, long peakByteSize, long opens, long overflows, long refusals,
        long waitingThreads, long waitedNanos, List<Waits> waits) {

    /// The waits of a range of lengths.
    ///
    /// @param maxNanos the longest of these waits, in nanoseconds, [Long#MAX_VALUE] for the last range; the waits of
    ///                 the range before are shorter
    /// @param count    how many waits have ended, with an arena or with a refusal
    public record Waits(long maxNanos, long count) {}

    /// Copies the list.
    public SlabPoolStatistics {
        waits = List.copyOf(waits);
    }

    /// {@return how many waits have ended}
    public long waitCount() {
        return waits.stream().mapToLong(Waits::count).sum();
    }

    /// {@return the statistics as one sentence}
    @Override
    public String toString() {
        return (name.isEmpty() ? "SlabPool: " : "SlabPool " + name + ": ") + openArenas + " open arenas, "
                + Sizes.text(usedByteSize) + " used ("
                + Sizes.text(largeByteSize)
                + " in large blocks), " + Sizes.text(idleByteSize) + " idle (" + Sizes.text(threadIdleByteSize)
                + " in threads), peak " + Sizes.text(peakByteSize) + ", limit "
                + (maxByteSize == Long.MAX_VALUE ? "none" : Sizes.text(maxByteSize)) + "; so far " + opens + " opens, "
                + overflows + " overflows, " + refusals + " refusals"
                + (waits.isEmpty()
                        ? ""
                        : ", " + waitCount() + " waits of " + TimeUnit.NANOSECONDS.toMillis(waitedNanos) + " ms; "
                                + waitingThreads + " threads wait");
    }
}
