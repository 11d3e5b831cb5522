package dev.arenakit.dependencies.planted.tool.show;

import dev.arenakit.dependencies.planted.tool.console.Terminal;
import dev.arenakit.dependencies.planted.tool.image.Catalog;
import java.util.List;

/// Depends on `console` and `image`, which every command may do.
public final class Viewing {
    private Viewing() {}

    /// {@return the other classes}
    public static List<Class<?>> others() {
        return List.of(Terminal.class, Catalog.class);
    }
}
