package dev.arenakit.planted.layout.type;

import dev.arenakit.planted.Pool;

/// Uses another package that is exported.
public final class Struct {
    private Struct() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Pool.class;
    }
}
