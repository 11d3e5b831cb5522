package dev.arenakit.dependencies.planted.tool.ls;

import dev.arenakit.dependencies.planted.tool.Main;

/// Depends on the root package.
public final class Listing {
    private Listing() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Main.class;
    }
}
