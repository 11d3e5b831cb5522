package dev.arenakit.walls.planted.cycle.one;

import dev.arenakit.walls.planted.cycle.two.Two;

/// Depends on a package that depends on this one.
public final class One {
    private One() {}

    /// {@return the other}
    public static Class<?> other() {
        return Two.class;
    }
}
