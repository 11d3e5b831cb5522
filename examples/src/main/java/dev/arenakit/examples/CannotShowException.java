package dev.arenakit.examples;

/// Thrown when an example cannot run; the message says what is missing.
final class CannotShowException extends Exception {
    private static final long serialVersionUID = 1L;

    CannotShowException(String message) {
        super(message);
    }
}
