package dev.arenakit.planted.internal.pool.stock;

import dev.arenakit.planted.internal.pool.Cache;

/// Uses the arenas above it, although `internal.pool.stock` may use `internal.pool.memory` alone.
public final class Store {
    private Store() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Cache.class;
    }
}
