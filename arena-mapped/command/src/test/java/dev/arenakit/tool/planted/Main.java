package dev.arenakit.tool.planted;

import dev.arenakit.tool.planted.ls.Listing;

/// Uses a command, which the root package may do.
public final class Main {
    private Main() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Listing.class;
    }
}
