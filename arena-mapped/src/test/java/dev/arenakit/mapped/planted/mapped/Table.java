package dev.arenakit.mapped.planted.mapped;

import dev.arenakit.mapped.planted.sql.Query;

/// Uses SQL, which no package of this module may do.
public final class Table {
    private Table() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Query.class;
    }
}
