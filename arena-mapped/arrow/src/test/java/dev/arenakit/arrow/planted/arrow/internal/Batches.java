package dev.arenakit.arrow.planted.arrow.internal;

import dev.arenakit.arrow.planted.mapped.internal.files.Locks;

/// Uses what another module exports to others only.
public final class Batches {
    private Batches() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Locks.class;
    }
}
