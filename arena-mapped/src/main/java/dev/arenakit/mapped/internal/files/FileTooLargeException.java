package dev.arenakit.mapped.internal.files;

import java.io.IOException;
import java.io.UncheckedIOException;

/// The file system refuses a file of the requested size. It may allow several smaller files.
public final class FileTooLargeException extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    FileTooLargeException(String message, IOException cause) {
        super(message, cause);
    }
}
