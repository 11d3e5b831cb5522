package dev.arenakit.tool;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;
import java.util.function.IntSupplier;

import picocli.CommandLine.Help.Ansi;

/// What a command reads and writes.
///
/// @param ansi     whether there is a terminal to colour text for
/// @param width    the columns of a line of the output
/// @param progress of what takes long
/// @param screen   what more can be done with a terminal
record Streams(InputStream in, Output out, PrintStream err, Ansi ansi, IntSupplier width, Progress progress,
        Screen screen) {
    /// Of text on standard output.
    static final Charset CHARSET = System.out.charset();

    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";

    Streams(InputStream in, Output out, PrintStream err, Ansi ansi, IntSupplier width, Progress progress) {
        this(in, out, err, ansi, width, progress, Screen.NONE);
    }

    /// Those of this process.
    static Streams ofSystem() {
        Progress progress = Terminal.isTerminal(Terminal.STANDARD_ERROR)
                ? Progress.on(System.err, Terminal.isTerminal(Terminal.STANDARD_OUTPUT))
                : Progress.none(System.err);
        return new Streams(new FileInputStream(FileDescriptor.in), Output.ofSystem(progress::beforeOutput),
                System.err, Terminal.ansi(), Terminal::width, progress, Screen.ofSystem());
    }

    /// The same with another output, which is none of a terminal.
    Streams withOutput(Output other) {
        return new Streams(in, other, err, Ansi.OFF, width, progress);
    }

    /// Prints text, which ends its lines itself and holds nothing that could act on a terminal unasked.
    void print(String text) throws IOException {
        out.write(text.getBytes(CHARSET));
    }

    /// Prints what comes next, as `head` and `tail` do for each of several files.
    void printHeading(String text, boolean isFirst) throws IOException {
        print((isFirst ? "" : "\n") + bold("==> " + printable(text) + " <==") + "\n");
    }

    /// Text that stands out on a terminal.
    String bold(String text) {
        return ansi.enabled() ? BOLD + text + PLAIN : text;
    }

    /// Takes back what the command has done to the terminal.
    void leaveTerminal() {
        progress.end();
        if (out.stop() && ansi.enabled()) {
            err.print(PLAIN);
            err.flush();
        }
    }

    /// Reports a problem in one line, whatever the message holds, behind what was printed before.
    void complain(String problem) {
        try {
            out.flush();
        } catch (IOException e) {
            // Whoever prints next, or the end of the command, meets it again.
        }
        progress.clear();
        err.println("arena: " + printable(problem));
    }

    /// Reports that a file, or what is named like one, cannot be read or written.
    void complain(String file, IOException e) {
        complain(file + ": " + reason(e));
    }

    /// What has gone wrong, in the words of Unix.
    static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "No such file or directory";
            case AccessDeniedException _ -> "Permission denied";
            case FileSystemException f when f.getReason() != null -> f.getReason();
            default -> e.getMessage() == null ? e.toString() : e.getMessage();
        };
    }

    /// What an exception of a stream's elements is about.
    static IOException cause(Exception e) {
        return switch (e) {
            case IOException io -> io;
            case UncheckedIOException unchecked -> Objects.requireNonNull(unchecked.getCause());
            default -> new IOException(e);
        };
    }

    /// Text without characters that act: controls, which may do anything to a terminal, and those that turn the direction of the
    /// text around them or end its line.
    static String printable(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~') {
                return text.codePoints()
                        .map(codePoint -> acts(codePoint) ? '?' : codePoint)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
            }
        }
        return text;
    }

    private static boolean acts(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE ->
                true;
            default -> false;
        };
    }
}
