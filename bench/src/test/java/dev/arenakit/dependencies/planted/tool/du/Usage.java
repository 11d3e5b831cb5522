package dev.arenakit.dependencies.planted.tool.du;

import dev.arenakit.dependencies.planted.tool.ls.Listing;

/// Depends on another command.
public final class Usage {
    private Usage() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Listing.class;
    }
}
