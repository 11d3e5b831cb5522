package dev.arenakit.testing.planted.console;

/// A class, which is no vocabulary.
public final class Terminal {
    private Terminal() {}
}
