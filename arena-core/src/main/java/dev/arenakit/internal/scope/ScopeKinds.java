package dev.arenakit.internal.scope;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The kinds of scopes, which the JDK has a class for each and no method: an arena of any implementation has one of
/// them.
public final class ScopeKinds {
    private static final Class<?> AUTOMATIC = Arena.ofAuto().scope().getClass();
    private static final Class<?> GLOBAL = Arena.global().scope().getClass();
    private static final Class<?> CONFINED;

    static {
        try (Arena sample = Arena.ofConfined()) {
            CONFINED = sample.scope().getClass();
        }
    }

    private ScopeKinds() {}

    /// Whether a scope ends by a call of `close`.
    public static boolean isCloseable(MemorySegment.Scope scope) {
        Class<?> kind = scope.getClass();
        return kind != AUTOMATIC && kind != GLOBAL;
    }

    /// Whether a scope belongs to one thread.
    public static boolean isConfined(MemorySegment.Scope scope) {
        return scope.getClass() == CONFINED;
    }
}
