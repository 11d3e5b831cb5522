package dev.arenakit.arrow.internal.cdata;

import dev.arenakit.internal.scope.ScopeKinds;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Prevents the end of a scope until the lease is released. Leases of the same scope share a thread.
final class ScopeLease {
    /// The leases of scopes that an arena can close. This object is the lock of all their fields.
    private static final Map<MemorySegment.Scope, ScopeLease> LEASES = new HashMap<>();

    /// Keeps memory that is freed when it is unreachable, too.
    private final MemorySegment segment;
    private final @Nullable HoldingThread thread;
    private long count = 1;

    private ScopeLease(MemorySegment segment, @Nullable HoldingThread thread) {
        this.segment = segment;
        this.thread = thread;
    }

    /// Leases the scope of a segment.
    ///
    /// @throws IllegalArgumentException if the scope is confined to a thread
    /// @throws IllegalStateException    if the scope has ended
    static ScopeLease of(MemorySegment segment) {
        MemorySegment.Scope scope = segment.scope();
        if (ScopeKinds.isConfined(scope)) {
            throw new IllegalArgumentException("Memory is confined to a thread, and consumers may use others: segment="
                    + segment + "; use a shared arena, or copy the memory to one");
        }
        if (!ScopeKinds.isCloseable(scope)) {
            return new ScopeLease(segment, null);
        }
        synchronized (LEASES) {
            ScopeLease shared = LEASES.get(scope);
            if (shared != null) {
                shared.count++;
                return shared;
            }
            HoldingThread thread = new HoldingThread(segment);
            ScopeLease lease = new ScopeLease(segment, thread);
            try {
                LEASES.put(scope, lease);
                thread.hold();
            } catch (Throwable t) {
                LEASES.remove(scope);
                throw t;
            }
            return lease;
        }
    }

    /// Releases the lease. After the last release, the scope's arena can be closed.
    void release() {
        if (thread == null) {
            return;
        }
        synchronized (LEASES) {
            if (--count == 0) {
                LEASES.remove(segment.scope());
                thread.letGo();
            }
        }
    }

    /// The number of scopes that threads hold.
    static int size() {
        synchronized (LEASES) {
            return LEASES.size();
        }
    }
}
