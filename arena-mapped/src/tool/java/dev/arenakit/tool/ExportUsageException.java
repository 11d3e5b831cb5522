package dev.arenakit.tool;

/// What was asked for is nothing that the form can say.
final class ExportUsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// @param message what to ask for instead
    ExportUsageException(String message) {
        super(message);
    }
}
