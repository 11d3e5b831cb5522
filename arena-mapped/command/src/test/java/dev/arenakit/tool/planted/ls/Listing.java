package dev.arenakit.tool.planted.ls;

import dev.arenakit.tool.planted.Main;

/// Uses the root package, which no command may do.
public final class Listing {
    private Listing() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Main.class;
    }
}
