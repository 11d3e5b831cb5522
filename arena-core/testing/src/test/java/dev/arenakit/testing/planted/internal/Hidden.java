package dev.arenakit.testing.planted.internal;

/// A type that no signature may mention.
public class Hidden extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// Creates an instance.
    public Hidden() {}
}
