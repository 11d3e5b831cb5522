package dev.arenakit.mapped.planted.mapped.internal.reservation;

import dev.arenakit.mapped.planted.mapped.internal.data.Numbers;

/// Uses the data files, although `reservation` may use `files` alone.
public final class Space {
    private Space() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Numbers.class;
    }
}
