package dev.arenakit.dependencies.planted.tool;

import dev.arenakit.dependencies.planted.tool.ls.Listing;

/// Depends on a command.
public final class Main {
    private Main() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Listing.class;
    }
}
