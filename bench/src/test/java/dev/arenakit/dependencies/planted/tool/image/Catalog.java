package dev.arenakit.dependencies.planted.tool.image;

import dev.arenakit.dependencies.planted.tool.ls.Listing;

/// Depends on a command.
public final class Catalog {
    private Catalog() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Listing.class;
    }
}
