package dev.arenakit.tool.watch;

import java.time.Instant;
import java.util.List;

/// The figures of an image at one time.
///
/// @param nanos    the time, on the clock of [System#nanoTime]
/// @param state    `open`, `closed`, `died` or `unknown`
/// @param pid      the process id of the last owner, 0 if it is unknown
/// @param opened   the time when the last owner opened the image
/// @param count    the number of live allocations
/// @param freed    the number of freed allocations
/// @param byteSize the size of the live allocations
/// @param stored   the size of the files on disk, negative if it is unknown
/// @param top      the allocations that have grown most
record WatchFigures(long nanos, String state, long pid, Instant opened, long count, long freed, long byteSize,
        long stored, List<WatchTopAllocations.Entry> top) {
    /// Whether these figures are the first figures. The first figures are compared with themselves, and so have no
    /// rates.
    boolean isFirst(WatchFigures before) {
        return nanos == before.nanos;
    }

    /// The number of allocations ever made.
    long made() {
        return count + freed;
    }

    /// A change per second since earlier figures.
    double rate(WatchFigures before, long change) {
        return change * 1e9 / Math.max(1, nanos - before.nanos);
    }
}
