package dev.arenakit.testing.planted.show;

import dev.arenakit.testing.planted.console.Size;
import dev.arenakit.testing.planted.console.Terminal;
import java.util.List;

/// Uses two classes of `console`.
public final class Viewing {
    private Viewing() {}

    /// {@return the classes}
    public static List<Class<?>> used() {
        return List.of(Size.class, Terminal.class);
    }
}
