package dev.arenakit.mapped;

import java.io.IOException;
import java.io.UncheckedIOException;

/// The file system has no space left for a file of an arena, or the quota of the user is exhausted. The arena stays
/// usable, and continues once there is space.
///
/// A store to mapped memory that needs a new page does not throw this exception: see [InfiniteArena].
public final class DiskFullException extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    /// Makes an exception.
    ///
    /// @param message the message
    /// @param cause   the exception of the file system
    public DiskFullException(String message, IOException cause) {
        super(message, cause);
    }
}
