package dev.arenakit.walls.planted.internal;

/// What no signature is to mention.
public class Hidden extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// Makes one.
    public Hidden() {}
}
