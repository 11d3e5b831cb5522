package dev.arenakit.sql.planted.mapped.internal.catalog;

/// A class that the module of files does not export.
public final class Locks {
    private Locks() {}
}
