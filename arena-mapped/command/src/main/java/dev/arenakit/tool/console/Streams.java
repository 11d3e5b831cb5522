package dev.arenakit.tool.console;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import picocli.CommandLine.Help.Ansi;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/// The streams that a command reads and writes, and the terminal that they may lead to.
///
/// @param in         standard input
/// @param out        standard output
/// @param err        standard error
/// @param ansi       whether text on standard output is styled
/// @param isTerminal whether standard output is a terminal, styled or not: control characters must not reach it
/// @param canAsk     whether the user can be asked on standard error, and answers on standard input
/// @param progress   shows on standard error how far a long command is
public record Streams(InputStream in, Output out, PrintStream err, Ansi ansi, boolean isTerminal, boolean canAsk,
        Progress progress) {
    /// The charset of text on standard output. In the locale C, it is UTF-8, because ASCII would replace other
    /// characters.
    public static final Charset CHARSET = System.out.charset().equals(US_ASCII) ? UTF_8 : System.out.charset();

    /// Returns the streams of this process.
    public static Streams ofSystem() {
        boolean isTerminal = Terminal.isTerminal(Terminal.STANDARD_OUTPUT);
        // A program that reads the output may use the terminal, as a pager does.
        Progress progress = new Progress(System.err, Terminal.isTerminal(Terminal.STANDARD_ERROR)
                && !Output.isPipe(Terminal.STANDARD_OUTPUT) && !"dumb".equals(System.getenv("TERM")));
        return new Streams(new FileInputStream(FileDescriptor.in), Output.ofSystem(isTerminal, progress), System.err,
                Terminal.isStyled(System.getenv(), isTerminal) ? Ansi.ON : Ansi.OFF, isTerminal,
                Terminal.isTerminal(Terminal.STANDARD_INPUT) && Terminal.isTerminal(Terminal.STANDARD_ERROR), progress);
    }

    /// Returns the same streams with another output, which is not a terminal.
    public Streams withOutput(Output other) {
        return new Streams(in, other, err, Ansi.OFF, false, false, progress);
    }

    /// Prints text to standard output.
    ///
    /// @param text includes its line feeds, and must be safe for terminals ([PrintableText])
    public void print(String text) throws IOException {
        out.write(text.getBytes(CHARSET));
    }

    /// Prints a heading above a part of the output, as `head` and `tail` do for each of several files.
    public void printHeading(String text, boolean isFirst) throws IOException {
        print((isFirst ? "" : "\n") + bold("==> " + PrintableText.of(text) + " <==") + "\n");
    }

    /// Returns text that is bold on a terminal.
    public String bold(String text) {
        return styled(AnsiCodes.BOLD, text);
    }

    /// Returns text with a style on a terminal.
    ///
    /// @param code a code of [AnsiCodes], or "" for no style
    public String styled(String code, String text) {
        return ansi.enabled() && !code.isEmpty() ? code + text + AnsiCodes.RESET : text;
    }

    /// Prints a message about a problem to standard error, as one line, after all output so far.
    public void report(String problem) {
        try {
            out.flush();
        } catch (IOException e) {
            // Printing or flushing again will fail in the same way, and that failure is reported.
        }
        progress.erase(false);
        err.println("arena: " + PrintableText.of(problem));
        progress.erase(true);
    }

    /// Reports that something cannot be read or written.
    ///
    /// @param subject a file, or the base of an image
    public void report(String subject, IOException e) {
        report(subject + ": " + ErrorText.of(e));
    }
}
