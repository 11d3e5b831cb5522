package dev.arenakit.examples;

/// Says what is missing for an example to be shown.
final class CannotShowException extends Exception {
    private static final long serialVersionUID = 1L;

    CannotShowException(String message) {
        super(message);
    }
}
