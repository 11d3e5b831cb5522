package dev.arenakit.internal.scope;

import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicBoolean;

/// The close of an arena for all threads: one caller ends the scope and releases the memory, and all others fail.
///
/// The arena's lock must not be held: to end a scope is to run the cleanups that users have attached to it.
public final class SharedClose {
    private final Arena delegate;
    private final boolean shared;
    private final Runnable endScope;
    private final Runnable release;
    private final AtomicBoolean closing = new AtomicBoolean();

    /// An arena creates this object when it is opened, while there is heap memory.
    ///
    /// @param delegate the arena of the scope
    /// @param shared   whether the scopes are for all threads, so that to end one takes a handshake
    /// @param endScope ends the scope
    /// @param release  releases the memory that the scope protected
    public SharedClose(Arena delegate, boolean shared, Runnable endScope, Runnable release) {
        this.delegate = delegate;
        this.shared = shared;
        this.endScope = endScope;
        this.release = release;
    }

    /// Ends the scope and releases the memory.
    ///
    /// If the first step throws and the scope is still alive, a segment is in use: the arena remains open. If the scope
    /// is dead, a user's cleanup threw: the memory is released and the exception rethrown. In a shared arena, a
    /// [VirtualMachineError] may have prevented the handshake with threads that are accessing the memory, which is not
    /// released then.
    ///
    /// @throws IllegalStateException if the arena is being closed or is closed, in which case nothing has changed, or
    ///                               if a segment is in use
    public void close() {
        if (!delegate.scope().isAlive() || !closing.compareAndSet(false, true)) {
            throw Scopes.alreadyClosed();
        }
        try {
            endScope.run();
        } catch (Throwable t) {
            if (delegate.scope().isAlive()) {
                closing.set(false);
            } else if (!shared || !(t instanceof VirtualMachineError)) {
                release.run();
            }
            throw t;
        }
        release.run();
    }
}
