package dev.arenakit.testing.planted.cycle.one;

import dev.arenakit.testing.planted.cycle.two.Two;

/// Depends on a package that depends on this one.
public final class One {
    private One() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Two.class;
    }
}
