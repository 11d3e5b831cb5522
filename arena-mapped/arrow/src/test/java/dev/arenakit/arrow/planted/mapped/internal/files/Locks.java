package dev.arenakit.arrow.planted.mapped.internal.files;

/// A class that the module of files does not export.
public final class Locks {
    private Locks() {}
}
