package dev.arenakit.sql;

/// A query that failed, or an engine that cannot be used. The message is that of the engine, or of this library.
public final class SqlException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// Creates an exception without a cause.
    ///
    /// @param message the message
    public SqlException(String message) {
        super(message);
    }

    /// Creates an exception with a cause.
    ///
    /// @param message the message
    /// @param cause   the cause
    public SqlException(String message, Throwable cause) {
        super(message, cause);
    }
}
