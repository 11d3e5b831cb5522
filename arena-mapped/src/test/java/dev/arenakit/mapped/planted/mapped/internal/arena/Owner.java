package dev.arenakit.mapped.planted.mapped.internal.arena;

import dev.arenakit.mapped.planted.mapped.Table;

/// Uses a class of the menu, although `arena` may use its vocabulary alone.
public final class Owner {
    private Owner() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Table.class;
    }
}
