package dev.arenakit.planted.internal.pool;

import dev.arenakit.planted.Pool;

/// Uses a class of the menu, although `internal.pool` may use its vocabulary alone.
public final class Cache {
    private Cache() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Pool.class;
    }
}
