package dev.arenakit.sql.planted.sql.internal.duckdb;

import dev.arenakit.sql.planted.sql.internal.Rows;

/// Uses `sql.internal`, although only the opposite is allowed.
public final class Library {
    private Library() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Rows.class;
    }
}
