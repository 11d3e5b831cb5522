package dev.arenakit.tool.planted.copy;

import dev.arenakit.tool.planted.ls.Listing;

/// Uses another command.
public final class Usage {
    private Usage() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Listing.class;
    }
}
