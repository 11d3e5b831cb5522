package dev.arenakit.tool.export;

/// The form of an export needs other arguments.
final class ExportUsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// @param message the message, which says what arguments the form needs
    ExportUsageException(String message) {
        super(message);
    }
}
