package dev.arenakit.internal.pool;

import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Shared arenas that were opened one after another, with one scope.
///
/// Thread-safe. No method but [#endScope] runs code of users.
final class ArenaGroup {
    /*
     * The upper half of `members` counts the arenas that have joined the group, and the lower half the open arenas.
     * A group that has its largest number of arenas is sealed, and to seal a group earlier is to set the upper half to
     * that number. No arena joins a sealed group, so that a sealed group without open arenas remains so: it is over.
     * One atomic operation makes it so, and the thread that has made it ends the scope.
     */
    private static final long JOINED = 1L << 32;

    final Arena delegate = Arena.ofShared();
    final MemorySegment view = Scopes.viewOf(delegate);
    private final long sealed;
    private final AtomicLong members = new AtomicLong();
    private final AtomicBoolean ending = new AtomicBoolean();
    /// The thread that runs the cleanups.
    private volatile @Nullable Thread ender;
    /// The arenas that were closed, from the newest to the oldest.
    private final AtomicReference<@Nullable GroupedSlabArena> newest = new AtomicReference<>();
    private @Nullable GroupedSlabArena oldest;

    /// @param mostArenas the number of arenas at which the group is sealed
    ArenaGroup(int mostArenas) {
        sealed = mostArenas * JOINED;
    }

    /// Counts a new arena as open, unless the group is sealed.
    boolean join() {
        long seen;
        do {
            seen = members.get();
            if (seen >= sealed) {
                return false;
            }
        } while (!members.compareAndSet(seen, seen + JOINED + 1));
        return true;
    }

    /// Counts an arena no longer as open.
    ///
    /// @return whether the group is over now
    boolean leave() {
        return members.decrementAndGet() == sealed;
    }

    /// Seals the group, unless it is sealed.
    void seal() {
        long seen;
        do {
            seen = members.get();
        } while (seen < sealed && !members.compareAndSet(seen, sealed + (seen & (JOINED - 1))));
    }

    /// Whether the group is sealed and no arena is open.
    boolean isOver() {
        return members.get() == sealed;
    }

    /// Adds an arena that was closed, and that still counts as open.
    void add(GroupedSlabArena arena) {
        GroupedSlabArena previous;
        do {
            previous = newest.get();
            arena.previous = previous;
        } while (!newest.compareAndSet(previous, arena));
        if (previous == null) {
            oldest = arena;
        }
    }

    boolean isAlive() {
        return delegate.scope().isAlive();
    }

    /// Ends the scope of a group that is over, unless it has been ended or another thread does so. If a segment is in
    /// use, nothing has changed. If a cleanup of a user throws, the scope has ended, and this method rethrows the
    /// exception.
    ///
    /// @return whether this call has ended it
    boolean endScope() {
        if (!ending.compareAndSet(false, true)) {
            return false;
        }
        try {
            ender = Thread.currentThread();
            delegate.close();
            ender = null;
        } catch (Throwable t) {
            // First, and without a call: later, this may be another thread.
            ender = null;
            if (!isAlive()) {
                throw t;
            }
            ending.set(false);
            if (!(t instanceof IllegalStateException)) {
                throw t;
            }
            return false;
        }
        return true;
    }

    /// Whether the current thread is running the cleanups of this group.
    boolean isEndedByCurrentThread() {
        return Scopes.isCurrent(ender);
    }

    /// The memory that the closed arenas of a group hold back, after its scope has ended.
    long heldBackByteSize() {
        long byteSize = 0;
        for (GroupedSlabArena arena = newest.get(); arena != null; arena = arena.previous) {
            byteSize += arena.heldBackByteSize;
        }
        return byteSize;
    }

    /// Moves the closed arenas of a group whose scope has ended to the front of a list.
    void moveTo(AtomicReference<@Nullable GroupedSlabArena> list) {
        GroupedSlabArena last = oldest;
        if (last != null) {
            GroupedSlabArena next;
            do {
                next = list.get();
                last.previous = next;
            } while (!list.compareAndSet(next, newest.get()));
        }
    }
}
