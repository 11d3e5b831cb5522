package dev.arenakit.tool.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;

/// The text of errors for messages to the user, in the words of Unix.
public final class ErrorText {
    /// The reason why no file can have a name, for use after the name.
    public static final String NO_NAME = "has characters that " + System.getProperty("sun.jnu.encoding")
            + " does not have: set LC_ALL to an installed locale that has them, for example C.UTF-8";

    private ErrorText() {}

    /// The reason of an error, without the name of the file.
    public static String of(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "No such file or directory";
            case CharacterCodingException _ -> "not in UTF-8: convert it with iconv";
            case AccessDeniedException _ -> "Permission denied";
            case FileSystemException f when f.getReason() != null -> f.getReason();
            default -> e.getMessage() == null ? e.toString() : e.getMessage();
        };
    }

    /// The exception that a stream has wrapped, or the exception itself.
    public static IOException cause(Exception e) {
        return switch (e) {
            case IOException io -> io;
            case UncheckedIOException unchecked -> Objects.requireNonNull(unchecked.getCause());
            default -> new IOException(e);
        };
    }
}
