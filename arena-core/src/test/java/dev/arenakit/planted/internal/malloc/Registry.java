package dev.arenakit.planted.internal.malloc;

import dev.arenakit.planted.internal.pool.Cache;

/// Uses the pool, although `internal.malloc` may use `internal` alone.
public final class Registry {
    private Registry() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Cache.class;
    }
}
