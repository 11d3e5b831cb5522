package dev.arenakit.mapped.internal.files;

import java.io.IOException;

/// The file system has no locks, so that it is unknown whether an image has an owner.
public final class NoLocksException extends IOException {
    private static final long serialVersionUID = 1L;

    public NoLocksException(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
