package dev.arenakit.mapped.planted.mapped.internal.files;

import dev.arenakit.mapped.planted.mapped.internal.locks.Lock;

/// Uses the locks, although `files` may use no other package of this module.
public final class Paths {
    private Paths() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Lock.class;
    }
}
