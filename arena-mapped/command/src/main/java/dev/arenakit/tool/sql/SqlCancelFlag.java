package dev.arenakit.tool.sql;

import java.util.concurrent.CancellationException;

/// A flag that the user has interrupted the current statement. Any thread may set it.
final class SqlCancelFlag {
    private volatile boolean isCancelled;

    void begin() {
        isCancelled = false;
    }

    void cancel() {
        isCancelled = true;
    }

    boolean isCancelled() {
        return isCancelled;
    }

    /// @throws CancellationException if the statement is cancelled
    void check() {
        if (isCancelled) {
            throw new CancellationException();
        }
    }
}
