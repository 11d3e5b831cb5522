package dev.arenakit.planted;

/// A class that users have.
public final class Pool {
    private Pool() {}
}
