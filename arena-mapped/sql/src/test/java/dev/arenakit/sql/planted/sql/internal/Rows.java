package dev.arenakit.sql.planted.sql.internal;

import dev.arenakit.sql.planted.mapped.internal.catalog.Locks;

/// Uses what another module does not export.
public final class Rows {
    private Rows() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Locks.class;
    }
}
