package dev.arenakit.bench.candidate;

/// Thrown if the arenas of a provider do not give their memory back. Such a provider is not measured: it would seem
/// faster than it is, and the machine would soon be out of memory.
public final class LeakException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// Creates one.
    ///
    /// @param message the detail message: provider, allocated and remaining bytes
    public LeakException(String message) {
        super(message);
    }
}
