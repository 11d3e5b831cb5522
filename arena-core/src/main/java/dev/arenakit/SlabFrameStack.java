package dev.arenakit;

import dev.arenakit.internal.Scopes;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The open frames of a slab arena.
final class SlabFrameStack {
    private static final int INITIAL_LENGTH = 4;

    /*
     * Only the scopes of the open frames, which closing the arena needs. A frame itself never escapes to this array,
     * and where it does not escape elsewhere, C2 does not allocate it.
     */
    private @Nullable Arena[] scopes = new Arena[INITIAL_LENGTH];
    private int depth;

    /// The number of open frames.
    int depth() {
        return depth;
    }

    /// Pushes the scope of a frame.
    ///
    /// @return the number of open frames
    int push(Arena scope) {
        if (depth == scopes.length) {
            scopes = Arrays.copyOf(scopes, 2 * depth);
        }
        scopes[depth] = scope;
        return ++depth;
    }

    /// Removes the top scope, which is dead.
    void pop() {
        scopes[--depth] = null;
    }

    /// Throws if the scope of the top frame is being closed.
    void checkTopIsOpen() {
        if (depth > 0 && !top().scope().isAlive()) {
            throw Scopes.alreadyClosed();
        }
    }

    /// Closes the scopes of the open frames from the top. The arena releases their memory together with its own.
    ///
    /// If a scope is in use, this method throws, and that frame and those below it remain open.
    ///
    /// @return the exception of a user's cleanup, or null; the last one has the earlier ones as suppressed exceptions
    @Nullable
    Throwable closeFrames() {
        Throwable thrown = null;
        while (depth > 0) {
            checkTopIsOpen();
            Arena scope = top();
            try {
                scope.close();
            } catch (Throwable t) {
                if (thrown != null) {
                    t.addSuppressed(thrown);
                }
                if (scope.scope().isAlive()) {
                    throw t;
                }
                thrown = t;
            }
            pop();
        }
        return thrown;
    }

    private Arena top() {
        return Objects.requireNonNull(scopes[depth - 1]);
    }
}
