package dev.arenakit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// An asymmetric lock with the methods of `StampedLock`: validating a stamp costs two loads, and [#writeLock()] costs a
/// handshake with every thread, thousands of times as much.
///
/// It protects state that one thread owns and changes without atomic operations, and that another thread rarely takes
/// away. The owner calls [#tryOptimisticRead()], reads its state, changes it, and then [validates][#validate] the
/// stamp. The other thread calls [#writeLock()], reads the state, changes it, and calls [#unlockWrite()]. If the owner
/// validates before the write lock is acquired, the holder of the lock sees the owner's change. If the owner has
/// obtained its stamp before the lock is acquired, or while it is held, the later validation fails. If the owner
/// obtains its stamp after the lock is released, it sees what the holder has changed.
///
/// The class relies on a guarantee of the JDK's shared arenas: an access to a segment either completes before the
/// arena's `close` returns, or fails. To ensure this, `close` stops every thread at a point between two of its steps.
final class AsymmetricBarrier {
    private Arena arena = Arena.ofShared();
    private volatile MemorySegment stamp = arena.allocate(1);
    /// Allocated before the lock is acquired, so that it can always be released.
    private Arena nextArena = arena;
    private MemorySegment nextStamp = stamp;

    /// Returns a stamp that is valid until the next [#writeLock()].
    MemorySegment tryOptimisticRead() {
        return stamp;
    }

    /// Returns whether the write lock has not been acquired since the stamp was obtained.
    static boolean validate(MemorySegment stamp) {
        try {
            // Only the access matters, not the byte.
            var _ = stamp.get(ValueLayout.JAVA_BYTE, 0);
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /// Invalidates all stamps. The caller holds the pool's lock, which also serializes writers.
    void writeLock() {
        nextArena = Arena.ofShared();
        nextStamp = nextArena.allocate(1);
        arena.close();
    }

    /// Issues valid stamps again. The caller still holds the pool's lock.
    void unlockWrite() {
        arena = nextArena;
        stamp = nextStamp;
    }

    /// Frees the native memory instead of unlocking. No stamp is valid from then on.
    void close() {
        nextArena.close();
    }
}
