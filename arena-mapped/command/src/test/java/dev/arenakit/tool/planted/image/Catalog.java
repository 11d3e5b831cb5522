package dev.arenakit.tool.planted.image;

import dev.arenakit.tool.planted.ls.Listing;

/// Uses a command, although `image` may use `console` alone.
public final class Catalog {
    private Catalog() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Listing.class;
    }
}
