package dev.arenakit.mapped.planted.mapped.internal.locks;

import dev.arenakit.mapped.planted.mapped.internal.reservation.Space;

/// Uses the reservation, although `locks` may use `files` alone.
public final class Lock {
    private Lock() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Space.class;
    }
}
