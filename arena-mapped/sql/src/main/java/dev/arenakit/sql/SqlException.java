package dev.arenakit.sql;

/// Thrown if a query fails, or if the engine cannot be used. The message comes from the engine or from this library.
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
