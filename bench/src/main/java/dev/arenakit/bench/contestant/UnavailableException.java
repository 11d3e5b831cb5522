package dev.arenakit.bench.contestant;

/// Thrown by a contestant that this machine, or this JVM, does not have. The report says so, and the run goes on.
public final class UnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// Creates one.
    ///
    /// @param what what is missing, and what to do to have it
    public UnavailableException(String what) {
        super(what);
    }
}
