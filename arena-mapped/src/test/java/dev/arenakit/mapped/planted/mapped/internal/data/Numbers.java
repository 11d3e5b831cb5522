package dev.arenakit.mapped.planted.mapped.internal.data;

import dev.arenakit.mapped.planted.mapped.internal.arena.Owner;

/// Uses the arena, although `data` may use only packages below it.
public final class Numbers {
    private Numbers() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Owner.class;
    }
}
