package dev.arenakit.testing.planted.cycle.two;

import dev.arenakit.testing.planted.cycle.one.One;

/// Depends on a package that depends on this one.
public final class Two {
    private Two() {}

    /// {@return the other class}
    public static Class<?> other() {
        return One.class;
    }
}
