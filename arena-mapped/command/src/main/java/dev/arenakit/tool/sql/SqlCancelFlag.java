package dev.arenakit.tool.sql;

import java.util.concurrent.CancellationException;

/// A flag that the user has interrupted the command or, at the prompt, the current line. Any thread may set it.
final class SqlCancelFlag {
    private volatile boolean isCancelled;

    /// Begins the next line of the prompt.
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
