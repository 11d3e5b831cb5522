package dev.arenakit.walls.planted.cycle.two;

import dev.arenakit.walls.planted.cycle.one.One;

/// Depends on a package that depends on this one.
public final class Two {
    private Two() {}

    /// {@return the other}
    public static Class<?> other() {
        return One.class;
    }
}
