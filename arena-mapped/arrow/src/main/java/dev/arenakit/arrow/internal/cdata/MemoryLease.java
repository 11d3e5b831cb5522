package dev.arenakit.arrow.internal.cdata;

import dev.arenakit.internal.scope.LeasedRange;
import java.lang.foreign.MemorySegment;

/// Prevents that memory is freed until the lease is released: neither its arena can end, nor a collection free its table.
final class MemoryLease {
    private final ScopeLease scope;
    private final LeasedRange range;

    private MemoryLease(ScopeLease scope, LeasedRange range) {
        this.scope = scope;
        this.range = range;
    }

    /// Leases the memory of a native segment.
    ///
    /// @throws IllegalArgumentException if the segment is confined to a thread
    /// @throws IllegalStateException    if the arena of the segment is closed
    static MemoryLease of(MemorySegment segment) {
        ScopeLease scope = ScopeLease.of(segment);
        try {
            return new MemoryLease(scope, LeasedRange.of(segment));
        } catch (Throwable t) {
            scope.release();
            throw t;
        }
    }

    /// Ends the lease. This method is called once.
    void release() {
        try {
            range.release();
        } finally {
            scope.release();
        }
    }
}
