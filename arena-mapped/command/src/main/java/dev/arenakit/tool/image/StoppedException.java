package dev.arenakit.tool.image;

import java.io.IOException;

/// Ends a transfer that has found enough. This exception has no stack trace.
public final class StoppedException extends IOException {
    private static final long serialVersionUID = 1L;

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // Nothing is filled in.
    public Throwable fillInStackTrace() {
        return this;
    }
}
