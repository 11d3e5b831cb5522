package dev.arenakit.tool.planted.show;

import dev.arenakit.tool.planted.console.Terminal;
import dev.arenakit.tool.planted.image.Catalog;
import java.util.List;

/// Uses `console` and `image`, which every command may do.
public final class Viewing {
    private Viewing() {}

    /// {@return the other classes}
    public static List<Class<?>> others() {
        return List.of(Terminal.class, Catalog.class);
    }
}
