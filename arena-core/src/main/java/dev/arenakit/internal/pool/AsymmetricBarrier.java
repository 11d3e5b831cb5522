package dev.arenakit.internal.pool;

import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;

/// An asymmetric lock with the methods of `StampedLock`: validating a stamp costs one load, and [#writeLock()] costs a
/// handshake with every thread, thousands of times as much.
///
/// It protects state that one thread owns and changes without atomic operations, and that another thread rarely takes
/// away. The owner calls [#tryOptimisticRead()], reads its state, changes it, and then [validates][#validate] the
/// stamp. The other thread calls [#writeLock()], reads the state, changes it, and calls [#unlockWrite()]. If the owner
/// validates before the write lock is acquired, the holder of the lock sees the owner's change. If the owner has
/// obtained its stamp before the lock is acquired, or while the lock is held, a later validation fails. If the owner
/// obtains its stamp after the lock is released, it sees the holder's changes.
///
/// Without the handshake, a processor could still hold back the owner's change when it validates the stamp. Linux has
/// the system call `membarrier` for this purpose. This class closes a shared arena, and relies on HotSpot's handshake:
/// HotSpot stops every thread at a safepoint poll, between two steps of the thread, which orders the memory accesses of
/// both threads. No thread ever accesses memory of that arena: such a thread would be interrupted. The specification
/// promises no handshake, so that this class must be examined again for any other JVM.
final class AsymmetricBarrier {
    static {
        // Loads the classes of a handshake when the first pool is built: later, there may be no heap memory for them.
        Arena.ofShared().close();
    }

    /// Even, unless the lock is held.
    private volatile long version;

    /// Returns a stamp that is valid until the next [#writeLock()].
    long tryOptimisticRead() {
        return version;
    }

    /// Returns whether the lock was free when the stamp was obtained, and has not been acquired since.
    boolean validate(long stamp) {
        // No instruction, but a limit for the compiler: the change of the owner's state comes first.
        VarHandle.releaseFence();
        VarHandle.acquireFence();
        return version == stamp && (stamp & 1) == 0;
    }

    /// Invalidates all stamps. The caller holds the pool's lock, which also serializes writers. If this method throws,
    /// the lock is not held.
    @SuppressWarnings("NonAtomicVolatileUpdate") // Writers are serialized.
    void writeLock() {
        Arena handshake = Arena.ofShared();
        // Odd, even if an Error has prevented that the lock was released before.
        version = version + 1 | 1;
        try {
            handshake.close();
        } catch (Throwable t) {
            version++;
            throw t;
        }
    }

    /// Issues valid stamps again. The caller still holds the pool's lock.
    @SuppressWarnings("NonAtomicVolatileUpdate") // Writers are serialized.
    void unlockWrite() {
        version++;
    }
}
