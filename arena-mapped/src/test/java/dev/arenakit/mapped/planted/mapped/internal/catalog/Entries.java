package dev.arenakit.mapped.planted.mapped.internal.catalog;

import dev.arenakit.mapped.planted.mapped.internal.arena.Owner;

/// Uses the arena, although `catalog` may use `files` alone.
public final class Entries {
    private Entries() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Owner.class;
    }
}
