package dev.arenakit.tool.planted.console;

import dev.arenakit.tool.planted.image.Catalog;

/// Uses `image`, although `console` may use no other package.
public final class Terminal {
    private Terminal() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Catalog.class;
    }
}
