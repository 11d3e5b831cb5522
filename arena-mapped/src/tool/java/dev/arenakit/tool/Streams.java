package dev.arenakit.tool;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

import picocli.CommandLine.Help.Ansi;

/// What a command reads and writes.
///
/// @param ansi whether there is a terminal to colour text for
record Streams(InputStream in, Output out, PrintStream err, Ansi ansi) {
    /// Of text on standard output.
    static final Charset CHARSET = System.out.charset();

    /// Reports a problem in one line, whatever the message holds.
    void complain(String problem) {
        err.println("arena: " + printable(problem));
    }

    /// Reports that a file, or what is named like one, cannot be read or written.
    void complain(String file, IOException e) {
        complain(file + ": " + switch (e) {
            case NoSuchFileException _ -> "No such file or directory";
            case AccessDeniedException _ -> "Permission denied";
            case FileSystemException f when f.getReason() != null -> f.getReason();
            default -> e.getMessage() == null ? e.toString() : e.getMessage();
        });
    }

    /// Text without control characters, which a file's name may have, and which may do anything to a terminal.
    static String printable(String text) {
        return text.codePoints()
                .map(c -> Character.isISOControl(c) ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
