package dev.arenakit.bench.candidate.peer;

/// Thrown by a candidate that this machine, or this JVM, cannot run. The report contains the message, and the run
/// continues.
public final class UnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// Creates an exception.
    ///
    /// @param message the detail message: what is missing, and how to install it
    public UnavailableException(String message) {
        super(message);
    }
}
