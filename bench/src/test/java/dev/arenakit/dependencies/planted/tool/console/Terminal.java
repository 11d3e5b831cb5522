package dev.arenakit.dependencies.planted.tool.console;

import dev.arenakit.dependencies.planted.tool.image.Catalog;

/// Depends on `image`, although `console` may depend on no other package.
public final class Terminal {
    private Terminal() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Catalog.class;
    }
}
