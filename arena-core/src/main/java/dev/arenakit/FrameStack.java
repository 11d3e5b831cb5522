package dev.arenakit;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The frames that are open on a slab arena.
final class FrameStack {
    private static final int FIRST_LENGTH = 4;

    /*
     * Of the open frames only the scopes, for whoever closes the arena: a frame itself never escapes to here, and where
     * it does not elsewhere, C2 makes no object of it.
     */
    private @Nullable Arena[] scopes = new Arena[FIRST_LENGTH];
    private int depth;

    /// How many frames are open.
    int depth() {
        return depth;
    }

    /// Adds the scope of a frame on top.
    ///
    /// @return how many frames are open now
    int push(Arena scope) {
        if (depth == scopes.length) {
            scopes = Arrays.copyOf(scopes, 2 * depth);
        }
        scopes[depth] = scope;
        return ++depth;
    }

    /// Removes the scope on top, which is dead.
    void pop() {
        scopes[--depth] = null;
    }

    /// Refuses when the top frame's scope is ending just now.
    void checkTopIsOpen() {
        if (depth > 0 && !top().scope().isAlive()) {
            throw new IllegalStateException("Frame is already closed");
        }
    }

    /// Ends the open frames from the top, and not their memory, which their arena gives back together with its own. When the
    /// scope of one is in use, this throws, and that frame and those below stay as they are.
    ///
    /// @return what cleanups of the user's threw, or null; the last has those before it as suppressed
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
