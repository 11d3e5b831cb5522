package dev.arenakit.examples.process;

/// Thrown if an example cannot run. The message says what is missing.
public final class CannotShowException extends Exception {
    private static final long serialVersionUID = 1L;

    public CannotShowException(String message) {
        super(message);
    }
}
