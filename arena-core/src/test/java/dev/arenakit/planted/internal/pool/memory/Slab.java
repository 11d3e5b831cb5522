package dev.arenakit.planted.internal.pool.memory;

import dev.arenakit.planted.internal.pool.stock.Store;

/// Uses the stock above it, although `internal.pool.memory` may use no package of the pool.
public final class Slab {
    private Slab() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Store.class;
    }
}
